/** Owns one answer of a demo service as it is about to leave: held back whole, changed, and then sent. */
import { STATUS_CODES, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';

/** Header names are lower-case. */
export interface Answer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Lets `change` have the whole answer, whoever writes it and by whichever way, before anything of it is sent. null: the connection is
 * closed without an answer.
 */
export function changeAnswer(res: ServerResponse, change: (answer: Answer) => Answer | null): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown, encoding?: unknown): void => {
    if (typeof chunk === 'string')
      chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  const called = (args: unknown[]): void =>
    (args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined)?.();
  Object.assign(res, {
    flushHeaders() {},
    writeHead(status: number, ...rest: unknown[]) {
      res.statusCode = status;
      for (const [name, value] of headerPairs(rest.at(-1))) res.setHeader(name, value);
      return res;
    },
    write(chunk: unknown, ...rest: unknown[]) {
      keep(chunk, rest[0]);
      called(rest);
      return true;
    },
    end(...args: unknown[]) {
      keep(args[0], args[1]);
      // Whoever waits for the headers (express-session does, by wrapping this again) is to have had them.
      res.writeHead(res.statusCode);
      for (const name of ['flushHeaders', 'writeHead', 'write', 'end'] as const)
        delete (res as Partial<ServerResponse>)[name];
      const answer = change({ status: res.statusCode, headers: res.getHeaders(), body: Buffer.concat(chunks) });
      if (answer) send(res, answer);
      else res.destroy();
      called(args);
      return res;
    },
  });
}

/** Sends `answer` in place of whatever headers were set before. */
export function send(res: ServerResponse, { status, headers, body }: Answer): void {
  for (const name of res.getHeaderNames()) res.removeHeader(name);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && name !== 'content-length' && name !== 'transfer-encoding') res.setHeader(name, value);
  res.statusCode = status;
  res.statusMessage = STATUS_CODES[status] ?? '';
  res.end(body);
}

function headerPairs(headers: unknown): [string, string | string[]][] {
  if (typeof headers !== 'object' || headers === null) return [];
  if (!Array.isArray(headers)) return Object.entries(headers as Record<string, string | string[]>);
  if (Array.isArray(headers[0])) return headers as [string, string][];
  return Array.from({ length: headers.length / 2 }, (_, n) => [headers[n * 2] as string, headers[n * 2 + 1] as string]);
}
