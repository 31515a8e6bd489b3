/**
 * The name under which GitHub keeps an upload, as its own command line knows it:
 * https://github.com/cli/cli/blob/trunk/pkg/cmd/release/upload/upload.go. `my file.tgz` → `my.file.tgz`.
 */
export function toAssetName(name: string): string {
  const plain = name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9\-_+@]+/gi, ".");
  return plain.replace(/^\.+|\.+$/g, "");
}
