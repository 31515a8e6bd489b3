/** How a download is tried, and tried again. Times are in milliseconds. */
export interface DownloadPolicy {
  connectTimeoutMs: number;
  /** From the request to the answer's headers. */
  headersTimeoutMs: number;
  /** Between two pieces of the body. */
  idleTimeoutMs: number;
  /** For one file, with all attempts and waits. */
  totalTimeoutMs: number;
  maxRedirects: number;
  /** How often a file is asked for in all, by what went wrong last. */
  maxAttempts: {
    /** No connection came about: without a network a user shall hear so soon. */
    unreachable: number;
    /** The connection broke, or a time-out struck. */
    broken: number;
    /** The server said to come again: 408, 425, 429 and 5xx. */
    busy: number;
  };
  /** The n-th wait is `firstMs × factor^(n-1)`, at most `maxMs`, less a random part of up to `jitter`. */
  backoff: { firstMs: number; factor: number; maxMs: number; jitter: number };
  /** A server that asks for a longer pause (Retry-After) is not waited for. */
  maxRetryAfterMs: number;
}

export const defaultPolicy: DownloadPolicy = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  idleTimeoutMs: 30_000,
  totalTimeoutMs: 20 * 60_000,
  maxRedirects: 5,
  maxAttempts: { unreachable: 2, broken: 6, busy: 6 },
  backoff: { firstMs: 500, factor: 2, maxMs: 15_000, jitter: 0.5 },
  maxRetryAfterMs: 60_000,
};

/** What a file may be at most, where the lock does not say exactly. */
export const sizeLimits = {
  /** The archives of 149.2.0 have some 32 MB. */
  assetBytes: 256 * 1024 ** 2,
  /** Unpacked they have some 160 MB. */
  unpackedBytes: 1024 ** 3,
  /** A checksum file has two lines. */
  checksumsBytes: 64 * 1024,
  lockBytes: 1024 ** 2,
};
