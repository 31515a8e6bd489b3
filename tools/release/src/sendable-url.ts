/** Whether a token may be sent there: over the open network only encrypted, and with no other credentials. */
export function isSendableUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(text));
  return isSafe && username === "" && password === "";
}

/** @param url one that can be parsed */
export function isLoopback(url: string): boolean {
  return /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(new URL(url).hostname);
}
