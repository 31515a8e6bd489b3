import { groups } from "../probe.ts";
import type { Results } from "./results.ts";

export const openingText = ({ nodeVersion }: Results): string => `# What the mod runner holds

A mod is code that nobody has read. This is the list of what it is known to try, and what came of each try: on
this runner, and on a runner in Node ${nodeVersion.slice(1)} that speaks the same line protocol and is written in the
obvious good way (a \`vm\` context for each callback, text across its border; \`tools/bench/src/mod-runner/baseline\`).

The document is generated: the table is \`packages/mod-runner/probes\`, what was seen is its \`results.json\`.

\`\`\`
pnpm --filter @codex-js/mod-runner security                            every row on both sides; writes both anew
pnpm --filter @codex-js/mod-runner security --only cpu                 one group; the others keep their last results
pnpm --filter @codex-js/mod-runner security --runner FILE              on another runner than the built one
pnpm --filter @codex-js/mod-runner security --text                     runs nothing: the document from the last results
pnpm --filter @codex-js/mod-runner test probes                         every row on this runner; writes nothing
pnpm --filter @codex-js/mod-runner test probes -t "cpu > native-sort"  one row: its group and its name
\`\`\`

Groups are ${groups.join(", ")}. All of them take the runner that \`CODEX_JS_MOD_RUNNER_PATH\` names,
else the one that \`pnpm build\` has left for this machine. The kernel's rows want \`kernel-probe\` as well, which needs
no V8: \`cargo build --release --locked --package codex-js-sandbox\` in \`packages/mod-runner/native\`.

## How to read it

Each row is one try, in a runner of its own. **Has to be** is what a caller of the host library gets: a value, or the
code of a \`ModError\`. A row is held when that is what comes, and

- the next callback of the same mod gives the right answer. _New process_ says that it got another runner, because
  the first had to be ended; without that note it was the same one;
- that callback finds nothing of the one before it: no global, no changed prototype or built-in;
- no process of the runner had more than 512 MiB at any time, pages that it shares with others included.

What is not so stands in bold. On Node every row is told as it came; nothing there has to be anything.
Where a mod changes its own realm, its own result may change with it: that is no fault.

## What is promised

- A mod reaches no file, no network, no process, no environment, no clock beyond the time of day, and no code of
  its host's. It can compute, print lines up to a limit, and ask for operations that its host has granted.
- Two walls: the realm, which gives a mod no way to make code from text and nothing of another realm; and the kernel,
  which lets the process do nothing even if the first has fallen. The kernel's rows assume that it has.
- Every callback ends with a value or a code, by its budget and three seconds at the latest once it has a runner.
- Nothing of a callback reaches the next; nothing of a mod reaches another mod: a runner serves one in its life.
- Where the kernel does not enforce all of it, no runner starts (\`sandbox_unavailable\`), unless the host says
  otherwise.

## What is not promised

- **Side channels.** A mod can measure time, and shares a processor with its host. Two mods can signal to each other by
  load. Spectre and its kin are left to the processor, the kernel and V8; a process for each mod is what there is.
- **Denial of service below the limits.** A mod may use a whole core for its budget and memory up to the limit, again in
  each callback. How many runners there are, and how often a mod is called, is for the host to say.
- **A fault of V8 together with one of the kernel.** V8's own sandbox, the process and the filter are three walls, and
  none is without faults.
- **What a granted operation does.** An operation's input, and every result, is chosen by the mod. The host checks them
  as it would check what comes from a network: shape, size, paths, HTML. A mod that gets a secret can return it.
- **The mod's source.** A mod's author, and who may change its folder, decide what runs. Load by digest what was reviewed.
- **macOS.** Its sandbox is a Seatbelt profile; its code is type-checked and has not been measured. Nothing there ends a
  runner at its host's death but the end of its input, and the data limit does not bind: the watchdog on memory does.

## The table
`;

export const groupTexts = {
  realm: { title: "Realm", text: "What a mod can reach from where it runs." },
  results: { title: "Results", text: "What it may return, print, ask for and throw." },
  cpu: { title: "Time", text: "Nothing runs past its budget, which is short here." },
  memory: { title: "Memory", text: "It has an end, and that end is the mod's alone." },
  modules: {
    title: "Modules",
    text: "A mod is its own files. Those of a folder are read by the host library.",
  },
  protocol: {
    title: "Protocol",
    text: "Bytes to a runner, past the host library. A value here is what the runner said and the exit code of its process. _Silence_: nothing came in ten seconds.",
  },
  kernel: {
    title: "Kernel",
    text: "What machine code in the runner's process could try, done by a native program behind the same sandbox, each attempt in a process of its own. _Denied_: the call failed, the process went on and worked. _Killed_: the filter ended it. The Node baseline has no sandbox: what works there worked for the user who ran this, on that kernel.",
  },
} as const;

export const closingText = `## Reporting a hole

See [SECURITY.md](../SECURITY.md). A row that is missing here is welcome as well.
`;
