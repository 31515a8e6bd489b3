// The plugins come without types; what they are is the business of size-limit's own function.
declare module "@size-limit/esbuild" {
  const plugins: ((...args: unknown[]) => unknown)[];
  export default plugins;
}
declare module "@size-limit/file" {
  const plugins: ((...args: unknown[]) => unknown)[];
  export default plugins;
}
