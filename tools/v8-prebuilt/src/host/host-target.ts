import { type Host, readHost, type Target, targets } from "@codex-js/platforms";
import { v8Error } from "../v8-error.ts";

/** A machine that native code of our own is built for: unlike the engine's, it is linked against a libc. */
export interface NativeHost extends Host {
  /** Linux only. */
  libc?: "glibc" | "musl";
}

/** The machine that this process runs on. */
export function readNativeHost(): NativeHost {
  const host = readHost();
  return host.platform === "linux" ? { ...host, libc: readLibc() } : host;
}

/**
 * The row of the platform table for `host`.
 * @throws ToolError CODEX_JS_V8_UNSUPPORTED_HOST
 */
export function findHostTarget({ platform, arch, libc }: NativeHost): Target {
  const target = targets.find((row) => row.os === platform && row.cpu === arch && row.libc === libc);
  if (target !== undefined) return target;
  const name = [platform, arch, libc].filter(Boolean).join(" ");
  throw v8Error("CODEX_JS_V8_UNSUPPORTED_HOST", `there is no V8 for this machine (${name})`, {
    hint: `name another target: --target ${targets.map(({ triple }) => triple).join(" | ")}`,
  });
}

/** Node's own report names the version of glibc; on musl there is none. */
function readLibc(): "glibc" | "musl" {
  // Not in the types yet; without it the report looks up a name for every open socket.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  const { excludeNetwork = false } = report;
  report.excludeNetwork = true;
  try {
    const { header } = report.getReport() as { header: { glibcVersionRuntime?: string } };
    return header.glibcVersionRuntime === undefined ? "musl" : "glibc";
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}
