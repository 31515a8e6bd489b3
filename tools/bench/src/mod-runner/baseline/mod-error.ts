import type { ErrorFields } from "../protocol.ts";

/** What goes out as an `error` line. */
export class ModError extends Error {
  readonly fields: ErrorFields;

  constructor(code: string, message: string, more: Partial<ErrorFields> = {}) {
    super(message);
    this.fields = { code, message, ...more };
  }
}
