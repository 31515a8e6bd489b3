/** The messages of the crate's example `serve_operations`: fields behind their lengths. */

export function writeMessage(fields: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(fields.flatMap((field) => [lengthBytes(field.length), field]));
  return Buffer.concat([lengthBytes(body.length), body]);
}

export function readFields(body: Uint8Array): Uint8Array[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const fields: Uint8Array[] = [];
  for (let at = 0; at < body.length; ) {
    const length = view.getUint32(at);
    fields.push(body.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return fields;
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}
