/** Owns the HTTP server: how long a request may take to come, how many connections there may be, and what is answered to what is no request. */
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import { SECURITY } from './answer.ts';

/** Times in milliseconds. */
export interface ServerLimits {
  /** Until the headers of a request are there, from the connection's or the last answer's end on. */
  headers: number;
  /** Until the request is there with its body. */
  request: number;
  /** At once; further ones are closed. */
  connections: number;
}
/** Ten times what a browser opens at most, and enough time for 14 MB from another machine. */
export const SERVER_LIMITS: ServerLimits = { headers: 10_000, request: 60_000, connections: 2_500 };

const MOST_HEADER_BYTES = 16 * 1024;

/** How Node watches over all connections. */
export const watching = ({ headers, request }: ServerLimits): ServerOptions => ({
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: Math.min(1_000, headers / 2),
  maxHeaderSize: MOST_HEADER_BYTES,
  // Refused below, with a code.
  requireHostHeader: false,
});

/** @param answer never throws for a request of HTTP; what it throws nevertheless is told to `log` */
export function createHttpServer(
  answer: (request: Request) => Promise<Response>,
  log: (error: unknown) => void,
  limits: ServerLimits = SERVER_LIMITS,
): Server {
  const refuse = (error: unknown): Response => {
    if (!(error instanceof RequestError)) log(error);
    const { status, code, message } = error instanceof RequestError ? MALFORMED : FAILED;
    return new Response(refusalText(code, message), { status, headers: REFUSAL_HEADERS });
  };
  const server = createServer(watching(limits), getRequestListener(answer, { errorHandler: refuse }));
  server.maxConnections = limits.connections;
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => answers.set(socket, response));
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const text = refusalText('EXPECTATION_FAILED', 'The header Expect may be 100-continue alone; leave it out.');
    response
      .writeHead(417, { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(text), Connection: 'close' })
      .end(text);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const last = answers.get(socket);
    // In the middle of an answer nothing else can be said.
    if (error.code === 'ECONNRESET' || !socket.writable || (last?.headersSent && !last.writableFinished))
      return void socket.destroy();
    socket.write(refusalOf(error));
    socket.destroySoon();
  });
  return server;
}

interface Refusal {
  status: number;
  code: string;
  message: string;
}
const MALFORMED: Refusal = {
  status: 400,
  code: 'MALFORMED',
  message: 'This is no request of HTTP; check its first line, its headers and the form of its body.',
};
const FAILED: Refusal = {
  status: 500,
  code: 'INTERNAL',
  message: 'The platform failed to answer; its output says why. Try again.',
};
/** By what Node's parser says. */
const REFUSALS: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'HEADERS_TOO_LARGE',
    message: `The headers have more than ${MOST_HEADER_BYTES / 1024} KB; send less in them.`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'TOO_LARGE',
    message: 'The body says too much beside its bytes; send it without chunk extensions.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'REQUEST_TIMEOUT',
    message: 'The request did not come in full in time; send it again, at once.',
  },
};
const REFUSAL_HEADERS = { ...SECURITY, 'Content-Type': 'application/json; charset=utf-8' };

const refusalText = (error: string, message: string): string => JSON.stringify({ error, message });

/** A whole answer, for a connection that holds no request to answer. */
function refusalOf({ code = '' }: NodeJS.ErrnoException): string {
  const { status, code: error, message } = REFUSALS[code] ?? MALFORMED;
  const text = refusalText(error, message);
  const headers = { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(text), Connection: 'close' };
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n');
}
