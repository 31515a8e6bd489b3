export type { Behaviour } from "./behaviour.ts";
export {
  type FlakyFile,
  type FlakyRequest,
  type FlakyServer,
  type FlakyServerOptions,
  startFlakyServer,
} from "./flaky-server.ts";
