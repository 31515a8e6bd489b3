function digestOf(text) {
  return self.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}
