/** Bits of an HMAC key and of derived output: one mebibyte. More would be a way to use up memory. */
export const MAX_KEY_BITS = 8_388_608;
