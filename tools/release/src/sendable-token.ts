/** Whether an HTTP header can carry it as it is: a line break, a space or a typographic dash was pasted with it. */
export function isSendableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
