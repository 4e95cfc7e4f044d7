/**
 * Sends requests to other servers on behalf of runs and pages. Allows only public IP addresses, and limits the size of
 * responses.
 */
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
export interface NetworkResponse {
  status: number;
  statusText: string;
  /** Names are lowercase. Multiple values of a header are joined with commas. */
  headers: [string, string][];
  body: Uint8Array<ArrayBuffer>;
}
/** @param take called with the size of each chunk in bytes; can throw to abort the request */
export type SendToNetwork = (
  request: NetworkRequest,
  signal: AbortSignal,
  take?: (bytes: number) => void,
) => Promise<NetworkResponse>;

export class ResponseTooLarge extends Error {
  override name = 'ResponseTooLarge';
}

export const BODY_LIMIT = 10 * 1024 * 1024;
export const REDIRECTS = 5;
const BODILESS = new Set([101, 204, 205, 304]);

/**
 * @param isAllowed whether a private host, or host:port, can be reached
 * @param bodyLimit maximum size of a response’s body, in bytes
 * @returns a function that doesn’t follow redirects. It throws AddressRefused, ResponseTooLarge, and connection errors
 */
export function createNetwork(isAllowed: (host: string) => boolean, bodyLimit = BODY_LIMIT): SendToNetwork {
  return async ({ url, method, headers, body }, signal, take = () => {}) => {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const open = isAllowed(host) || isAllowed(url.host);
    if (!open && isIP(host) && isPrivate(host)) throw refusal(host, host);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // Node omits the length for DELETE and similar methods. The server would then treat the body as a separate
      // request.
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
      // Some exchanges end without a response, such as a protocol upgrade. Without this, the promise would never
      // settle.
      outgoing.once('close', () => reject(new Error(`${url.host} closed the connection without a response.`)));
      outgoing.end(body ?? undefined);
    });
    const chunks: Buffer[] = [];
    let size = 0;
    if (!BODILESS.has(response.statusCode ?? 0)) {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > bodyLimit) {
          response.destroy();
          throw new ResponseTooLarge(`The response from ${url.host} is larger than ${bodyLimit / 1024 / 1024} MB.`);
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
