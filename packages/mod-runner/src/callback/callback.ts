import { limits } from "../../generated/limits.ts";
import type { CachesMessage, HostRequestMessage, LogMessage } from "../../generated/messages.ts";
import type { ModIdentity, ModLog } from "../events.ts";
import { onAbort } from "../on-abort.ts";
import { answerRequest, type Reply, type RequestRules } from "../operations/answer-request.ts";
import type { Denial } from "../operations/denial.ts";
import type { Answer, Exchange } from "../runner/exchange.ts";
import { RunnerFault } from "../runner/parse-line.ts";
import type { Runner } from "../runner/runner.ts";

/** What a callback needs to know and to tell. */
export interface CallbackOptions {
  answerType: Exchange["answerType"];
  mod: ModIdentity;
  hook: string;
  budgetMs: number;
  signal: AbortSignal | undefined;
  rules: RequestRules;
  onLog: (log: ModLog) => void;
  onCaches: (caches: Readonly<Record<string, string>>) => void;
}

/** What the runner may need beyond its budget and the time after which it ends itself. */
const graceMs = 2000;

/** One callback, load or render on one runner. */
export class Callback implements Exchange {
  readonly id: number;
  readonly answerType: Exchange["answerType"];
  /** What the mod was denied, by the message that it was told. */
  readonly denials = new Map<string, Denial>();
  readonly deniedOperations: string[] = [];
  hostRequests = 0;

  readonly #runner: Runner;
  readonly #options: CallbackOptions;
  readonly #ended = new AbortController();
  #outstanding = 0;
  #logs = 0;

  constructor(runner: Runner, options: CallbackOptions) {
    this.#runner = runner;
    this.#options = options;
    this.answerType = options.answerType;
    this.id = runner.takeId();
  }

  /**
   * Sends the line and resolves with what comes of it, never later than the budget allows.
   * @throws what a signal throws that is none of the runtime's own; the runner is of no further use then
   */
  async run(line: string): Promise<Answer> {
    const { budgetMs, signal } = this.#options;
    const kill = (reason: "timeout" | "cancel") => () => this.#runner.kill(reason);
    const timer = setTimeout(kill("timeout"), budgetMs + limits.unresponsiveMs + graceMs);
    let cancelTimer: NodeJS.Timeout | undefined;
    let stopListening = () => {};
    const cancel = () => {
      this.#runner.send({ type: "cancel", id: this.id });
      cancelTimer = setTimeout(kill("cancel"), limits.unresponsiveMs);
    };
    try {
      const answer = this.#runner.exchange(line, this);
      if (signal?.aborted) cancel();
      stopListening = onAbort(signal, cancel);
      return await answer;
    } finally {
      clearTimeout(timer);
      clearTimeout(cancelTimer);
      stopListening();
      this.#ended.abort();
    }
  }

  readonly onLog = ({ level, text, truncated = false }: LogMessage): void => {
    this.#logs += 1;
    if (this.#logs > limits.logsPerCallback) throw new RunnerFault("more log lines than a callback may have");
    const { mod, hook, onLog } = this.#options;
    onLog({ mod, hook, level, text, truncated });
  };

  readonly onCaches = ({ caches }: CachesMessage): void => this.#options.onCaches(caches);

  readonly onRequest = (request: HostRequestMessage): void => {
    this.hostRequests += 1;
    this.#outstanding += 1;
    if (this.#outstanding > limits.hostRequestsOutstanding)
      throw new RunnerFault("too many requests at a time");
    if (this.hostRequests > limits.hostRequestsPerCallback) throw new RunnerFault("too many requests");
    void this.#answer(request);
  };

  async #answer(request: HostRequestMessage): Promise<void> {
    // A mod that asks for more than it reads would fill this process with values on their way.
    await this.#runner.waitForDrain();
    if (this.#ended.signal.aborted) return;
    const { mod, hook, rules } = this.#options;
    const reply = await answerRequest(request, rules, { mod, hook, signal: this.#ended.signal });
    this.#outstanding -= 1;
    if ("denied" in reply) this.#keepDenial(request.operation, reply);
    if (!this.#ended.signal.aborted) this.#runner.sendLine(formatReply(request, reply));
  }

  #keepDenial(operation: string, { error, denied }: Extract<Reply, { error: unknown }>): void {
    this.deniedOperations.push(operation);
    if (denied !== undefined) this.denials.set(error.message, { operation, reason: denied });
  }
}

function formatReply({ callback, request }: HostRequestMessage, reply: Reply): string {
  const head = `{"type":"hostReply","callback":${callback},"request":${request}`;
  return "json" in reply
    ? `${head},"value":${reply.json}}\n`
    : `${head},"error":${JSON.stringify(reply.error)}}\n`;
}
