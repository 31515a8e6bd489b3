interface Input {
  messages: { role: string; text: string }[];
  /** Base64; null: pseudonyms come from a plain checksum, without any cryptography. */
  key: string | null;
}

type Name = (text: string) => Promise<string> | string;

const mail = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Puts a pseudonym in the place of every mail address: the same one for the same address. */
export default async function privacy({ messages, key }: Input) {
  const name = key === null ? nameByChecksum : await createHmacNames(key);
  const addresses = new Set(messages.flatMap(({ text }) => text.match(mail) ?? []));
  const names = new Map<string, string>();
  for (const address of addresses) names.set(address, `mail-${await name(address)}`);
  return messages.map((message) => ({
    ...message,
    text: message.text.replace(mail, (address) => names.get(address) ?? address),
  }));
}

async function createHmacNames(key: string): Promise<Name> {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes, hmac, false, ["sign"]);
  const encoder = new TextEncoder();
  return async (text) => {
    const signature = await crypto.subtle.sign("HMAC", imported, encoder.encode(text));
    return [...new Uint8Array(signature, 0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
}

function nameByChecksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
