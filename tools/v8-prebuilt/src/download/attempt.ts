import { checkSize } from "../content-errors.ts";
import type { DownloadPolicy } from "../limits.ts";
import { v8Error } from "../v8-error.ts";
import { AttemptFailure } from "./attempt-failure.ts";
import { checkAnswer, emptyError, looksLikePage, pageError } from "./check-answer.ts";
import { classifyError, describeUrl } from "./classify-error.ts";
import type { HttpAnswer, HttpClient } from "./http-client.ts";
import type { PartialFile } from "./partial-file.ts";

export interface AttemptOptions {
  client: HttpClient;
  url: URL;
  /** Value of the Authorization header. */
  authorization?: string;
  file: PartialFile;
  /** Of the whole file; undefined where it is not known before. */
  sizeBytes?: number;
  /** Used where the size is not known. */
  maxBytes: number;
  policy: DownloadPolicy;
  signal: AbortSignal;
  now: () => Date;
  /** Called for each piece. */
  onProgress: (receivedBytes: number, totalBytes: number | undefined) => void;
}

/** What an answer said about the file, for the next attempt to go on with. */
export interface Resumption {
  acceptsRanges: boolean;
  /** For If-Range: a strong entity tag, or the date of the last change. */
  validator: string | undefined;
}

/**
 * Asks for the file once, from where an earlier attempt has stopped if the server offered that, and writes
 * what comes. A server that sends the whole instead is taken at its word.
 * @param resumption what earlier answers said; replaced by what this one says
 * @returns whether what came was only the rest of the file
 * @throws AttemptFailure where it is worth asking again, ToolError where it is not
 */
export async function attemptDownload(
  options: AttemptOptions,
  resumption: Resumption,
): Promise<{ isRest: boolean }> {
  const { file } = options;
  if (file.sizeBytes > 0 && !resumption.acceptsRanges) await file.restart();
  const answer = await ask(options, resumption);
  try {
    checkAnswer(answer, options.policy, options.now);
    await placeBody(answer, file);
    Object.assign(resumption, readResumption(answer));
    await receive(answer, options);
    return { isRest: answer.status === 206 };
  } catch (error) {
    await answer.discard();
    throw error;
  }
}

async function ask(options: AttemptOptions, { validator }: Resumption): Promise<HttpAnswer> {
  const { client, url, authorization, file, signal } = options;
  const headers: Record<string, string> = {
    // Archives are compressed already; a server that does it again would change the bytes.
    "accept-encoding": "identity",
    "user-agent": "codex-js-v8-prebuilt",
    ...(authorization === undefined ? {} : { authorization }),
    ...(file.sizeBytes === 0 ? {} : { range: `bytes=${file.sizeBytes}-` }),
    ...(file.sizeBytes === 0 || validator === undefined ? {} : { "if-range": validator }),
  };
  try {
    return await client.get(url, headers, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw classifyError(error, url);
  }
}

/** Sees that the body will go where it belongs: behind what is there, or in its place. */
async function placeBody(answer: HttpAnswer, file: PartialFile): Promise<void> {
  if (file.sizeBytes === 0 && answer.status === 200) return;
  if (answer.status === 206 && readRangeStart(answer) === file.sizeBytes) return;
  await file.restart();
  if (answer.status === 200) return;
  const where = describeUrl(answer.url);
  const error = v8Error("CODEX_JS_V8_HTTP_STATUS", `${where} answers with another range than was asked for`, {
    hint: "run the same command again",
  });
  throw new AttemptFailure("broken", error);
}

function readRangeStart(answer: HttpAnswer): number | undefined {
  const [, start] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(answer.header("content-range") ?? "") ?? [];
  return start === undefined ? undefined : Number(start);
}

function readResumption(answer: HttpAnswer): Resumption {
  const etag = answer.header("etag");
  const strong = etag?.startsWith('"') ? etag : undefined;
  return {
    acceptsRanges: answer.status === 206 || answer.header("accept-ranges") === "bytes",
    validator: strong ?? answer.header("last-modified"),
  };
}

async function receive(answer: HttpAnswer, options: AttemptOptions): Promise<void> {
  const { file, sizeBytes, maxBytes, signal, onProgress } = options;
  const where = describeUrl(answer.url);
  const check = (bytes: number) => checkSize(bytes, sizeBytes ?? maxBytes, sizeBytes !== undefined, where);
  const promisedBytes = readContentLength(answer);
  const totalBytes = sizeBytes ?? (promisedBytes === undefined ? undefined : file.sizeBytes + promisedBytes);
  check(file.sizeBytes + (promisedBytes ?? 0));

  for await (const chunk of readBody(answer, signal)) {
    if (file.sizeBytes === 0 && looksLikePage(chunk)) throw pageError(answer);
    check(file.sizeBytes + chunk.length);
    await file.append(chunk);
    onProgress(file.sizeBytes, totalBytes);
  }
  if (file.sizeBytes === 0) throw emptyError(answer);
  // Without a promised length the end of the connection is the end of the body, be it too early or not.
  if (promisedBytes === undefined && sizeBytes !== undefined && file.sizeBytes < sizeBytes) {
    throw classifyError(new Error(`${file.sizeBytes} of ${sizeBytes} B came`), answer.url);
  }
}

/** The client's errors are classified; what the reader throws into it is not. */
async function* readBody(answer: HttpAnswer, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const body = answer.body[Symbol.asyncIterator]();
  for (;;) {
    let next: IteratorResult<Uint8Array>;
    try {
      next = await body.next();
    } catch (error) {
      signal.throwIfAborted();
      throw classifyError(error, answer.url);
    }
    if (next.done === true) return;
    yield next.value;
  }
}

function readContentLength(answer: HttpAnswer): number | undefined {
  const length = answer.header("content-length");
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined;
}
