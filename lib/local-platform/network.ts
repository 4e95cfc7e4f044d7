/** Owns the platform's requests to other servers for runs and pages: public addresses alone, checked at the connection itself, whole answers of bounded size. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { guardedLookup, isPrivate, refusal } from './runner/addresses.ts';

export interface NetworkRequest {
  url: URL;
  method: string;
  headers: readonly [string, string][];
  body: string | Uint8Array | null;
}
export interface NetworkAnswer {
  status: number;
  statusText: string;
  /** Lower-case names; several values of one are joined by commas. */
  headers: [string, string][];
  body: Buffer;
}
/** @param take told of each part of the answer, in bytes; throws to end it */
export type AskNetwork = (
  request: NetworkRequest,
  signal: AbortSignal,
  take?: (bytes: number) => void,
) => Promise<NetworkAnswer>;

export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

export const BODY_LIMIT = 10 * 1024 * 1024;
export const REDIRECTS = 5;
const BODILESS = new Set([101, 204, 205, 304]);

/**
 * @param isAllowed whether a host, or host:port, may be reached though it is private
 * @param bodyLimit of an answer, in bytes
 * @returns a function that follows no redirects; it throws AddressRefused, AnswerTooLarge, and what the connection failed with
 */
export function createNetwork(isAllowed: (host: string) => boolean, bodyLimit = BODY_LIMIT): AskNetwork {
  return async ({ url, method, headers, body }, signal, take = () => {}) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const open = isAllowed(host) || isAllowed(url.host);
    if (!open && isIP(host) && isPrivate(host)) throw refusal(host, host);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // Node leaves the length out for DELETE and its like: the body would then stand on the connection as if it were a request of its own.
      const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
      const outgoing = send(
        url,
        {
          method,
          headers: { ...Object.fromEntries(headers), ...length },
          signal,
          agent: false,
          ...(!open && { lookup: guardedLookup as never }),
        },
        resolve,
      );
      outgoing.once('error', reject);
      // Neither a tunnel nor another protocol: what is no answer would otherwise be waited for without end.
      outgoing.once('close', () => reject(new Error(`${url.host} closed the connection without an answer.`)));
      outgoing.end(body ?? undefined);
    });
    const chunks: Buffer[] = [];
    let size = 0;
    if (!BODILESS.has(response.statusCode ?? 0)) {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > bodyLimit) {
          response.destroy();
          throw new AnswerTooLarge(`The answer of ${url.host} is larger than ${bodyLimit / 1024 / 1024} MB.`);
        }
        take(chunk.length);
        chunks.push(chunk);
      }
    }
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
      body: Buffer.concat(chunks),
    };
  };
}
