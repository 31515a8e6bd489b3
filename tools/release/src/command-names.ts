/** Every step as a command of its own, in the order of a whole run. */
export const stepCommands = [
  "plan",
  "build",
  "pack",
  "gates",
  "preflight",
  "draft",
  "publish",
  "smoke",
  "announce",
] as const;

/** The steps that only a release to npm has. */
export const npmSteps: readonly string[] = ["preflight", "draft", "announce"];

export const commandNames = [...stepCommands, "status", "resume"] as const;
