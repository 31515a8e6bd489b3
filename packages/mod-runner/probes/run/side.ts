/** A runner that probes are run on. */
export interface Side {
  /** Absolute; it speaks the line protocol. */
  program: string;
  sandbox: "require" | "off";
}
