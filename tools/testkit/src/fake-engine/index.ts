export {
  type AppServerRule,
  type AppServerTrigger,
  createFakeEngine,
  type FakeEngine,
  type FakeEngineCall,
  type FakeEngineOptions,
  type FakeEngineScript,
} from "./fake-engine.ts";
export { createTurnSteps, type FakeEngineStep, step, type Template } from "./steps.ts";
