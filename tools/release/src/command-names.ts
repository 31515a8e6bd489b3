/** Every command of `pnpm release`: the steps in the order of a whole run, then what is no step. */
export const commandNames: readonly string[] = [
  "plan",
  "build",
  "pack",
  "gates",
  "preflight",
  "draft",
  "publish",
  "smoke",
  "announce",
  "status",
  "resume",
];
