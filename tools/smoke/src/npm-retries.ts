/** npm's own pauses between attempts add up to more than a minute of silence. */
export const npmRetries = [
  "--fetch-retries=2",
  "--fetch-retry-mintimeout=1000",
  "--fetch-retry-maxtimeout=5000",
] as const;
