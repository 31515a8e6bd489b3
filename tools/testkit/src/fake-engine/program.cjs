"use strict";
// The fake engine itself. fake-engine.ts copies this file behind a hashbang line and writes script.json
// beside it; everything it leaves behind (calls, marks, pids) lies in the same folder. Node builtins
// only, so that it is up in the time that Node needs.
const fs = require("node:fs");
const path = require("node:path");
const { spawn } = require("node:child_process");

const home = __dirname;
const script = JSON.parse(fs.readFileSync(path.join(home, "script.json"), "utf8"));
const argv = process.argv.slice(2);
const callDir = claimCallDir();
record("call.json", JSON.stringify({ argv, env: process.env, cwd: process.cwd(), pid: process.pid }));

// A reader that went away ends the engine as it ends any Unix program, not with a stack trace.
process.stdout.on("error", () => process.exit(141));

/** `mkdir` succeeds for one process only, so two engines started at once get different numbers. */
function claimCallDir() {
  for (let index = 0; ; index++) {
    const dir = path.join(home, "calls", String(index));
    try {
      fs.mkdirSync(dir);
      return dir;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
}

function selectExecSteps() {
  const lists = script.execByCall ?? [script.exec ?? []];
  return lists[Math.min(Number(path.basename(callDir)), lists.length - 1)] ?? [];
}

/** Written beside and renamed, so that a reader never sees half a file. */
function record(name, text) {
  const target = path.isAbsolute(name) ? name : path.join(callDir, name);
  fs.writeFileSync(`${target}.part`, text);
  fs.renameSync(`${target}.part`, target);
}

async function runSteps(steps, request) {
  for (const step of steps) await actions[step.type](step, request);
}

const never = () =>
  new Promise(() => {
    setInterval(() => {}, 2 ** 30);
  });

const actions = {
  async readStdin() {
    const file = path.join(callDir, "stdin");
    for await (const chunk of process.stdin) fs.appendFileSync(file, chunk);
  },
  closeStdin() {
    // Not process.stdin.destroy(): that leaves descriptor 0 open.
    fs.closeSync(0);
  },
  async stdout(step) {
    for (const part of step.base64) await write(process.stdout, Buffer.from(part, "base64"));
  },
  stderr: (step) => write(process.stderr, step.text),
  closeStdout() {
    fs.closeSync(1);
  },
  delay: (step) => new Promise((resolve) => setTimeout(resolve, step.ms)),
  waitForFile: (step) => waitForFile(step.path),
  waitForTrigger: (step) => waitForFile(path.join(home, "triggers", step.name)),
  mark: (step) => record(path.join(home, "marks", step.name), ""),
  async spawnStubbornChild(step) {
    const ready = path.join(home, "pids", step.name);
    const code = `
      for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
      require("node:fs").writeFileSync(${JSON.stringify(`${ready}.part`)}, String(process.pid));
      require("node:fs").renameSync(${JSON.stringify(`${ready}.part`)}, ${JSON.stringify(ready)});
      setInterval(() => {}, 2 ** 30);`;
    const stdio = step.inheritStdio ? ["ignore", "inherit", "inherit"] : "ignore";
    spawn(process.execPath, ["-e", code], { stdio }).unref();
    await waitForFile(ready);
  },
  ignoreSignals(step) {
    for (const signal of step.signals) {
      process.on(signal, () => fs.appendFileSync(path.join(callDir, "signals"), `${signal}\n`));
    }
  },
  linger: never,
  exit: (step) => process.exit(step.code),
  killSelf(step) {
    process.removeAllListeners(step.signal);
    process.kill(process.pid, step.signal);
    return never();
  },
  respond: (step, request) => send({ id: request?.id, result: fill(step.result, request) }),
  respondError: (step, request) => send({ id: request?.id, error: fill(step.error, request) }),
  notify: (step, request) => send({ method: step.method, params: fill(step.params, request) }),
  request: (step, request) => send({ id: step.id, method: step.method, params: fill(step.params, request) }),
};

function write(stream, data) {
  return new Promise((resolve) => stream.write(data, () => resolve()));
}

function send(message) {
  return write(process.stdout, `${JSON.stringify(message)}\n`);
}

async function waitForFile(file) {
  while (!fs.existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Replaces every `{ $from: "a.b" }` by that value of the request. */
function fill(template, request) {
  if (Array.isArray(template)) return template.map((entry) => fill(entry, request));
  if (typeof template !== "object" || template === null) return template;
  if (typeof template.$from === "string") {
    return template.$from.split(".").reduce((value, key) => value?.[key], request);
  }
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fill(value, request)]));
}

async function serveApp(rules) {
  const left = rules.map((rule) => rule.times ?? Number.POSITIVE_INFINITY);
  const take = (matches) => {
    const index = rules.findIndex((rule, at) => left[at] > 0 && matches(rule.on));
    if (index === -1) return undefined;
    left[index]--;
    return rules[index].do;
  };
  const answer = (message) => {
    const steps =
      message.method === undefined
        ? take((on) => on.answerTo === message.id)
        : take((on) => on.method === message.method);
    if (steps !== undefined) return runSteps(steps, message);
    if (message.method === undefined || message.id === undefined) return;
    return send(
      message.method === "initialize"
        ? { id: message.id, result: { userAgent: "codex_fake/0.0.0" } }
        : { id: message.id, error: { code: -32600, message: `no rule for ${message.method}` } },
    );
  };
  runSteps(take((on) => on.event === "start") ?? [], undefined);

  const file = path.join(callDir, "stdin");
  let rest = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    fs.appendFileSync(file, chunk);
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      // Not awaited: a rule that waits must not hold up the requests behind it.
      answer(JSON.parse(rest.subarray(0, end).toString("utf8")));
      rest = rest.subarray(end + 1);
    }
  }
  await runSteps(take((on) => on.event === "end") ?? [], undefined);
  process.exit(0);
}

// Last, since the constants above exist only from their line on.
if (argv.includes("app-server")) serveApp(script.appServer ?? []);
else runSteps(selectExecSteps(), undefined).then(() => process.exit(0));
