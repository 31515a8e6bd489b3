/** How a request for a file is answered. */
export type Behaviour =
  /** As a good server would. */
  | { type: "serve" }
  /** This instead of the file. */
  | { type: "status"; status: number; body?: string; headers?: Record<string, string> }
  /** To `location`, absolute or relative; status 302 unless given. */
  | { type: "redirect"; location: string; status?: number }
  /** Promises the whole and breaks the connection after that many bytes of it. */
  | { type: "cut"; afterBytes: number }
  /** Promises the whole, sends that many bytes of it, then nothing more; the connection stays open. */
  | { type: "stall"; afterBytes: number }
  /** A well-formed answer that holds only that many bytes of the file, as if they were all. */
  | { type: "truncate"; bytes: number }
  /** Takes the request and never answers. */
  | { type: "silence" };
