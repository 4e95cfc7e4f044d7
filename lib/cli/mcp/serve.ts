/** Serves MCP over standard input and output, or other streams, until the client disconnects. */
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
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

/** Resolves when the client has disconnected and all that it started has ended. */
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
}

class Transport extends StdioServerTransport {
  readonly closed: Promise<void>;
  readonly #close: () => void;

  readonly #mask: (text: string) => string;

  constructor({ input, output }: Host['streams'], mask: (text: string) => string) {
    super(input, output, { maxBufferSize: MESSAGE_LIMIT });
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

  override async close(): Promise<void> {
    await super.close();
    this.#close();
  }
}
