/** Buffers and changes the responses of a demo service before they are sent. */
import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';

/** Header names are lowercase. */
export interface DemoResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Buffers the response, and sends what `change` returns instead. Null closes the connection.
 * Replaces the methods of Node’s response, so it works with handlers of any framework.
 */
export function changeResponse(res: ServerResponse, change: (response: DemoResponse) => DemoResponse | null): void {
  const chunks: Buffer[] = [];
  const append = (chunk: unknown, encoding?: unknown): void => {
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  Object.assign(res, {
    flushHeaders() {},
    writeHead(status: number, ...rest: unknown[]) {
      res.statusCode = status;
      for (const [name, value] of headerPairs(rest.at(-1))) res.setHeader(name, value);
      return res;
    },
    write(chunk: unknown, ...rest: unknown[]) {
      append(chunk, rest[0]);
      callBack(rest);
      return true;
    },
    end(...args: unknown[]) {
      append(args[0], args[1]);
      // express-session wraps writeHead and adds its cookie there.
      res.writeHead(res.statusCode);
      for (const name of ['flushHeaders', 'writeHead', 'write', 'end'] as const)
        delete (res as Partial<ServerResponse>)[name];
      const response = change({ status: res.statusCode, headers: res.getHeaders(), body: Buffer.concat(chunks) });
      if (response) send(res, response);
      else res.destroy();
      callBack(args);
      return res;
    },
  });
}

/** Sends the response, replacing all headers set earlier. */
export function send(res: ServerResponse, { status, headers, body }: DemoResponse): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length' && name !== 'transfer-encoding') res.setHeader(name, value);
  res.statusCode = status;
  res.statusMessage = STATUS_CODES[status] ?? '';
  res.end(body);
}

/** Node’s methods take an optional callback as their last argument. */
function callBack(args: unknown[]): void {
  const callback = args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined;
  callback?.();
}

function headerPairs(headers: unknown): [string, string | string[]][] {
  if (typeof headers !== 'object' || headers === null) return [];
  if (!Array.isArray(headers)) return Object.entries(headers as Record<string, string | string[]>);
  if (Array.isArray(headers[0])) return headers as [string, string][];
  return Array.from({ length: headers.length / 2 }, (_, n) => [headers[n * 2] as string, headers[n * 2 + 1] as string]);
}
