/** Serves MCP over standard input and output, or other streams, until the client disconnects. */
import { type Readable, Transform, type TransformCallback } from 'node:stream';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { Host } from '../command/host.ts';
import { createServer } from './server.ts';
import type { McpSession } from './session.ts';
import { visible } from '../../shared/invisible.ts';
import { mapTexts } from '../../shared/objects.ts';

export interface ServeOptions extends Pick<Host, 'streams'> {
  version: string;
  signal: AbortSignal;
  /** Writes a line for people. */
  log: (text: string) => void;
}

/** Of one message from the client, in bytes. */
const MESSAGE_LIMIT = 16 * 1024 * 1024;
const ERROR_LENGTH = 500;
/** Of JSON-RPC. */
const INVALID_REQUEST = -32_600;

/**
 * Resolves when the client has disconnected and all that it started has ended.
 * @throws CodedError `MESSAGE_TOO_LARGE`
 */
export async function serveMcp(session: McpSession, { version, signal, log, streams }: ServeOptions): Promise<void> {
  // Only the protocol may use standard output.
  const { log: printed, info, debug } = console;
  console.log = console.info = console.debug = console.error;
  const transport = new Transport(streams, session.mask);
  const server = serveStdio(() => createServer(session, version), {
    transport,
    onerror: (error) =>
      log(`MCP: ${visible(session.mask(error.message)).replaceAll(/\s+/g, ' ').slice(0, ERROR_LENGTH)}`),
  });
  const end = (): void => void server.close();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  await transport.closed;
  signal.removeEventListener('abort', end);
  await session.close();
  await server.close();
  Object.assign(console, { log: printed, info, debug });
  if (transport.failure) throw transport.failure;
}

const TOO_LARGE = {
  code: 'MESSAGE_TOO_LARGE',
  message: `A message to the MCP server is limited to ${MESSAGE_LIMIT / 1024 / 1024} MB. This one is larger, so that the server ended.`,
  hint: 'Start the server again, and send less.',
};

/** Passes on whole lines only, since the SDK copies and searches all of a line with each piece of it. */
class Lines extends Transform {
  #pieces: Buffer[] = [];
  #size = 0;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    const end = chunk.lastIndexOf('\n') + 1;
    if (this.#size + (end && chunk.indexOf('\n')) > MESSAGE_LIMIT) return done(new CodedError(TOO_LARGE));
    if (end > 0) {
      this.push(Buffer.concat([...this.#pieces, chunk.subarray(0, end)]));
      [this.#pieces, this.#size] = [[], 0];
    }
    this.#pieces.push(chunk.subarray(end));
    this.#size += chunk.length - end;
    done(this.#size > MESSAGE_LIMIT ? new CodedError(TOO_LARGE) : null);
  }
}

class Transport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #close: () => void;
  readonly #input: Readable;
  readonly #lines: Lines;

  readonly #mask: (text: string) => string;

  constructor({ input, output }: Host['streams'], mask: (text: string) => string) {
    const lines = new Lines();
    super(lines, output, { maxBufferSize: 2 * MESSAGE_LIMIT });
    [this.#input, this.#lines] = [input, lines];
    input.pipe(lines);
    input.once('close', () => lines.destroy());
    lines.once('error', () => {
      const error = { code: INVALID_REQUEST, message: TOO_LARGE.message };
      output.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      // Otherwise, a client that goes on sending would keep the process alive.
      input.destroy();
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#close = resolve;
    this.#mask = mask;
  }

  /** All that is sent. The SDK’s errors repeat what the client sent, such as the name of an unknown tool. */
  override send(given: JSONRPCMessage): Promise<void> {
    const safe = mapTexts(given, (text) => visible(this.#mask(text))) as JSONRPCMessage;
    // The client’s own, by which it finds its request.
    const message = 'id' in given ? ({ ...safe, id: given.id } as JSONRPCMessage) : safe;
    if (!('error' in message) || message.error.message.length <= ERROR_LENGTH) return super.send(message);
    const error = { code: message.error.code, message: `${message.error.message.slice(0, ERROR_LENGTH)}…` };
    return super.send({ ...message, error });
  }

  /** Why it was closed, unless the client has disconnected. */
  get failure(): Error | null {
    return this.#lines.errored;
  }

  override async close(): Promise<void> {
    this.#input.unpipe(this.#lines).pause();
    await super.close();
    this.#close();
  }
}
