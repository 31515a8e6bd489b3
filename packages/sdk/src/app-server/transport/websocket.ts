import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { CodexError } from "../../errors.ts";
import { defaultMaxLineBytes } from "../../framing.ts";
import { createRedactor, hideCredentials } from "../../redact.ts";
import type { Transport, TransportListener } from "./transport.ts";
import { FrameReader, formatFrame, formatMessageFrames, opcodes } from "./websocket-frames.ts";

export interface WebSocketOptions {
  /** `unix://PATH` or `ws://HOST:PORT`. */
  url: string;
  /**
   * For `ws://`: the capability token or the signed bearer token (JWT) that the server was started with.
   * Sent as `Authorization: Bearer …`, and unencrypted like everything on `ws://`: beyond this machine, use
   * a tunnel.
   */
  token?: string;
  /** Milliseconds until the server has agreed; default 10,000. */
  connectTimeoutMs?: number;
  /** Bytes of one message from the server; default 64 MiB. */
  maxMessageBytes?: number;
}

/**
 * A longer message goes out in fragments: the limit that a server announces is for one that comes in one
 * piece (openai/codex#32512), and it closes the socket without a word when that is passed.
 */
const maxFrameBytes = 1024 * 1024;
/** Engine 0.171 takes 63 MiB in fragments and closes the socket at 66. */
const maxSentMessageBytes = 64 * 1024 * 1024;
const limitHeader = "x-codex-websocket-max-unfragmented-message-bytes";
/** What engine 0.171 announces; for servers that announce nothing. */
const defaultServerLimitBytes = 16 * 1024 * 1024;
const defaultConnectTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;
const acceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/**
 * Joins an app-server that listens on a unix socket or on TCP.
 * @throws CodexError CODEX_JS_SDK_ENGINE_NOT_STARTED when nobody there agrees
 */
export async function connectWebSocket(options: WebSocketOptions): Promise<Transport> {
  const { socket, head, serverLimitBytes } = await upgrade(options);
  return createSocketTransport(socket, head, serverLimitBytes, options);
}

interface Upgraded {
  socket: Socket;
  /** What came right behind the server's answer. */
  head: Buffer;
  serverLimitBytes: number;
}

async function upgrade(options: WebSocketOptions): Promise<Upgraded> {
  // Loaded here, so that clients on stdio do not pay the 10 to 20 ms that the HTTP module takes.
  const [{ createHash }, { request: httpRequest }] = await Promise.all([
    import("node:crypto"),
    import("node:http"),
  ]);
  const key = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const fail = (why: string, hint?: string, cause?: unknown) =>
    new CodexError(
      "CODEX_JS_SDK_ENGINE_NOT_STARTED",
      `cannot join the app-server at ${hideCredentials(options.url)}: ${why}`,
      { hint, cause },
    );
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      ...parseAddress(options.url),
      path: "/",
      headers: {
        connection: "Upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": key,
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      },
    });
    const timeoutMs = options.connectTimeoutMs ?? defaultConnectTimeoutMs;
    const timer = setTimeout(() => request.destroy(fail(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const settle = (action: () => void) => {
      clearTimeout(timer);
      action();
    };
    request.on("error", (cause) =>
      settle(() =>
        reject(cause instanceof CodexError ? cause : fail(cause.message, explainSocketError(cause), cause)),
      ),
    );
    request.on("response", (response) => {
      const { statusCode } = response;
      const isRefused = statusCode === 401 || statusCode === 403;
      const hint = isRefused
        ? `the token is ${options.token === undefined ? "missing" : "wrong or no longer valid"}: pass the one that the server was started with`
        : "it is no app-server";
      settle(() => reject(fail(`it answered HTTP ${statusCode} instead of agreeing to a WebSocket`, hint)));
      response.destroy();
    });
    request.on("upgrade", (response: IncomingMessage, socket: Socket, head: Buffer) => {
      const expected = createHash("sha1")
        .update(key + acceptSuffix)
        .digest("base64");
      if (response.headers["sec-websocket-accept"] !== expected) {
        socket.destroy();
        settle(() => reject(fail("it answered with a wrong sec-websocket-accept", "it is no app-server")));
        return;
      }
      const announced = Number(response.headers[limitHeader]);
      const serverLimitBytes = announced > 0 ? announced : defaultServerLimitBytes;
      settle(() => resolve({ socket, head, serverLimitBytes }));
    });
    request.end();
  });
}

function explainSocketError({ code }: NodeJS.ErrnoException): string | undefined {
  // Bun's own names for the first two.
  const isNobodyThere = ["ECONNREFUSED", "ENOENT", "ConnectionRefused", "FailedToOpenSocket"].includes(code!);
  if (isNobodyThere) return "nobody listens there: start `codex app-server --listen URL`";
  return code === "EACCES" || code === "EPERM" ? "the socket belongs to another user" : undefined;
}

function parseAddress(url: string): { socketPath: string } | { host: string; port: number } {
  if (url.startsWith("unix://")) return { socketPath: url.slice("unix://".length) };
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol === "ws:" && parsed.port !== "") {
    // An IPv6 host has brackets in an URL and none in an address.
    return { host: parsed.hostname.replace(/^\[|\]$/g, ""), port: Number(parsed.port) };
  }
  throw new CodexError(
    "CODEX_JS_SDK_ENGINE_NOT_STARTED",
    `${hideCredentials(url)} is no address of an app-server`,
    {
      hint: "use unix://PATH or ws://HOST:PORT",
    },
  );
}

function createSocketTransport(
  socket: Socket,
  head: Buffer,
  serverLimitBytes: number,
  { url, token, maxMessageBytes = defaultMaxLineBytes }: WebSocketOptions,
): Transport {
  let reason: CodexError | undefined;
  let drained: Promise<void> | undefined;
  let closeSent = false;
  const explain = (why: string, cause?: unknown) => {
    reason ??= new CodexError(
      "CODEX_JS_SDK_CONNECTION_CLOSED",
      `the connection to ${hideCredentials(url)} ended: ${why}`,
      { cause },
    );
  };

  socket.setTimeout(0);
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  socket.on("error", (cause) => explain(cause.message, cause));
  socket.on("end", () => socket.end());
  const closed = new Promise<CodexError>((resolve) => {
    socket.on("close", () => {
      explain("the server went away");
      resolve(reason!);
    });
  });

  const sendClose = (payload?: Buffer) => {
    if (closeSent || socket.destroyed) return;
    closeSent = true;
    socket.end(formatFrame(opcodes.close, payload));
    const timer = setTimeout(() => socket.destroy(), closeTimeoutMs);
    socket.once("close", () => clearTimeout(timer));
  };
  const handleControl = (opcode: number, payload: Buffer) => {
    if (opcode === opcodes.ping) socket.write(formatFrame(opcodes.pong, payload));
    if (opcode !== opcodes.close) return;
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
    const why = createRedactor([token])(payload.toString("utf8", 2));
    explain(`the server closed it (${code} ${why})`.replace(" )", ")"));
    sendClose(payload.subarray(0, 2));
  };

  return {
    closed,
    listen: (listener: TransportListener) => {
      const reader = new FrameReader({ ...listener, maxMessageBytes, onControl: handleControl });
      const push = (chunk: Buffer) => {
        try {
          reader.push(chunk);
        } catch (cause) {
          explain(`the server broke the protocol: ${(cause as Error).message}`, cause);
          socket.destroy();
        }
      };
      if (head.length > 0) push(head);
      socket.on("data", push);
    },
    send: (text) => {
      const bytes = text.length * 3 > maxSentMessageBytes ? Buffer.byteLength(text) : 0;
      if (bytes > maxSentMessageBytes) {
        throw new CodexError(
          "CODEX_JS_SDK_MESSAGE_TOO_LONG",
          `a message of ${bytes} bytes is longer than the ${maxSentMessageBytes} bytes that an app-server takes over a socket`,
          { hint: "send less at once, or use an engine of your own over stdio" },
        );
      }
      if (closeSent || socket.destroyed) return undefined;
      let isFull = false;
      for (const frame of formatMessageFrames(text, Math.min(maxFrameBytes, serverLimitBytes)))
        isFull = !socket.write(frame);
      if (!isFull) return drained;
      drained ??= new Promise((resolve) => {
        const settle = () => {
          drained = undefined;
          resolve();
        };
        socket.once("drain", settle);
        socket.once("close", settle);
      });
      return drained;
    },
    end: () => {
      explain("it was closed by this side");
      sendClose(Buffer.from([0x03, 0xe8]));
    },
    setRef: (keepsAlive) => void (keepsAlive ? socket.ref() : socket.unref()),
  };
}
