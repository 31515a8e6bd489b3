/** The second argument of every hook. */
export interface Host {
  call(operation: string, input: unknown): Promise<unknown>;
}
