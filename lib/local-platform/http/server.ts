/** The HTTP server: time limits for incoming requests, a connection limit, and responses to malformed requests. */
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
import { errorBody, SECURITY } from './response.ts';
import { HttpError } from './errors.ts';

/** Times in milliseconds. */
export interface ServerLimits {
  /** Time limit for receiving the headers, counted from the connection or the end of the previous response. */
  headers: number;
  /** Time limit for receiving the complete request. */
  request: number;
  /** Maximum number of open connections. Further ones are closed. */
  connections: number;
}
/** Allows ten times as many connections as a browser opens, and enough time to send 14 MB from another machine. */
export const SERVER_LIMITS: ServerLimits = { headers: 10_000, request: 60_000, connections: 2_500 };

const MAX_HEADER_BYTES = 16 * 1024;

/** Node’s options for all connections. */
export const nodeLimits = ({ headers, request }: ServerLimits): ServerOptions => ({
  headersTimeout: headers,
  requestTimeout: request,
  connectionsCheckingInterval: Math.min(1_000, headers / 2),
  maxHeaderSize: MAX_HEADER_BYTES,
  // Requests without a Host header are refused later, with an error code.
  requireHostHeader: false,
});

/** @param respond must not throw for HTTP requests; if it does, the error goes to `log` */
export function createHttpServer(
  respond: (request: Request) => Promise<Response>,
  log: (error: unknown) => void,
  limits: ServerLimits = SERVER_LIMITS,
): Server {
  const refuse = (error: unknown): Response => {
    if (!(error instanceof RequestError)) log(error);
    const refusal = error instanceof RequestError ? MALFORMED : FAILED;
    return new Response(refusalText(refusal), { status: refusal.status, headers: REFUSAL_HEADERS });
  };
  const server = createServer(nodeLimits(limits), getRequestListener(respond, { errorHandler: refuse }));
  server.maxConnections = limits.connections;
  const responses = new WeakMap<Socket, ServerResponse>();
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => responses.set(socket, response));
  server.on('checkExpectation', (_: IncomingMessage, response: ServerResponse) => {
    const text = refusalText(EXPECTATION_FAILED);
    response
      .writeHead(417, { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(text), Connection: 'close' })
      .end(text);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const last = responses.get(socket);
    // Nothing else can be sent in the middle of a response.
    if (error.code === 'ECONNRESET' || !socket.writable || (last?.headersSent && !last.writableFinished))
      return void socket.destroy();
    socket.write(refusalOf(error));
    socket.destroySoon();
  });
  return server;
}

const MALFORMED = new HttpError(400, 'MALFORMED', 'This isn’t a valid HTTP request.', {
  hint: 'Check its first line, its headers, and its body.',
});
const FAILED = new HttpError(500, 'INTERNAL', 'The platform couldn’t respond because of an internal error.');
const EXPECTATION_FAILED = new HttpError(417, 'EXPECTATION_FAILED', 'The Expect header must be 100-continue.');
/** Keyed by the error codes of Node’s parser. */
const REFUSALS: Record<string, HttpError> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, 'HEADERS_TOO_LARGE', `Headers are limited to ${MAX_HEADER_BYTES / 1024} kB.`),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError(413, 'TOO_LARGE', 'The chunk extensions of the body are too large.', {
    hint: 'Send the body without chunk extensions.',
  }),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'REQUEST_TIMEOUT', 'The complete request didn’t arrive in time.'),
};
const REFUSAL_HEADERS = { ...SECURITY, 'Content-Type': 'application/json; charset=utf-8' };

const refusalText = (refusal: HttpError): string => JSON.stringify(errorBody(refusal));

/** Builds a raw response, for a connection whose request couldn’t be parsed. */
function refusalOf({ code = '' }: NodeJS.ErrnoException): string {
  const refusal = REFUSALS[code] ?? MALFORMED;
  const { status } = refusal;
  const text = refusalText(refusal);
  const headers = { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(text), Connection: 'close' };
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n');
}
