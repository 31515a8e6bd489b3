import { healthyPath, healthySource } from "../scene/mod-text.ts";

/** The one mod of a session: a host sends modules once, and a runner may keep the first that it gets. */
export const lineModules = {
  "echo.ts": "export default (input: unknown) => input;",
  "asks.ts": "export default async (_: unknown, host: any) => [await host.call('a'), await host.call('b')];",
  "leaves.ts": "export default (_: unknown, host: any) => { host.call('a'); return 1; };",
  "floods.ts":
    "export default (_: unknown, host: any) => { for (let i = 0; i < 60; i++) host.call('a', 'x'.repeat(1e6)); };",
  "prints.ts": "export default () => { for (;;) console.log('x'); };",
  "loops.ts": "console.log('on'); for (;;); export default 1;",
  [healthyPath]: healthySource,
};

export type LineModule = keyof typeof lineModules;
