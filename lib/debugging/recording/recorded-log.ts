/** Records the console lines and the requests of a run, within limits. What is left out is counted. */
import { writeForDisplay } from './display-value.ts';
import type { RecordedBody, RecordedLine, RecordedRequest, Recording } from './format.ts';
import type { Budget } from './values.ts';

/** The number of console lines of a recording, and of requests. */
export const MAX_LINES = 10_000;
export const MAX_REQUESTS = 10_000;
/** Characters of the values of one line, of all lines, and of all requests. */
const LINE_LENGTH = 10_000;
const ALL_LINES = 4_000_000;
const ALL_REQUESTS = 4_000_000;
const MAX_URL = 2_000;
const MAX_ARGS = 50;

type Headers = [name: string, value: string][];

export interface RequestStart {
  method: string;
  url: string;
  headers?: Headers | undefined;
  body?: RecordedBody | undefined;
}

export interface RequestEnd {
  /** Null if there was no response. */
  status?: number | null | undefined;
  bytes?: number | null | undefined;
  error?: string | undefined;
  headers?: Headers | undefined;
  body?: RecordedBody | undefined;
}

export class RecordedLog {
  readonly #console: RecordedLine[] = [];
  readonly #requests: RecordedRequest[] = [];
  readonly #byId = new Map<number, RecordedRequest>();
  #leftOutLines = 0;
  #leftOutRequests = 0;
  #lineRoom = ALL_LINES;
  #requestRoom = ALL_REQUESTS;

  line(at: number, step: number | undefined, level: RecordedLine['level'], args: readonly unknown[]): void {
    if (this.#console.length >= MAX_LINES) {
      this.#leftOutLines++;
      return;
    }
    const room = Math.min(LINE_LENGTH, this.#lineRoom);
    const budget: Budget = { left: room, lost: 0 };
    const written = args.slice(0, MAX_ARGS).map((arg) => writeForDisplay(arg, budget));
    if (args.length > MAX_ARGS) written.push({ $: 'rest', value: args.length - MAX_ARGS });
    this.#lineRoom -= room - budget.left;
    this.#console.push({ at, ...(step !== undefined && { step }), level, args: written });
  }

  /** @param id identifies the request in the later call of `requestEnded` */
  requestStarted(id: number, at: number, step: number | undefined, { method, url, headers, body }: RequestStart): void {
    if (this.#requests.length >= MAX_REQUESTS) {
      this.#leftOutRequests++;
      return;
    }
    const request: RecordedRequest = {
      at,
      ...(step !== undefined && { step }),
      method: method.slice(0, MAX_URL),
      url: url.slice(0, MAX_URL),
      ...(headers && { headers: this.#headers(headers) }),
      ...(body && { body: this.#body(body) }),
    };
    this.#requests.push(request);
    this.#byId.set(id, request);
  }

  /** Can be called again if the body becomes known later. */
  requestEnded(id: number, at: number, { status, bytes, error, headers, body }: RequestEnd): void {
    const request = this.#byId.get(id);
    if (!request) return;
    request.milliseconds ??= Math.round((at - request.at) * 1_000) / 1_000;
    if (typeof status === 'number') request.status = status;
    if (typeof bytes === 'number') request.bytes = bytes;
    if (error !== undefined) request.error = error.slice(0, MAX_URL);
    if (headers) request.responseHeaders = this.#headers(headers);
    if (body) request.responseBody = this.#body(body);
  }

  finish(): Pick<Recording, 'console' | 'requests' | 'leftOut'> {
    const [lines, requests] = [this.#leftOutLines, this.#leftOutRequests];
    return {
      ...(this.#console.length > 0 && { console: this.#console }),
      ...(this.#requests.length > 0 && { requests: this.#requests }),
      ...(lines + requests > 0 && { leftOut: { lines, requests } }),
    };
  }

  #headers(headers: Headers): Headers {
    const kept: Headers = [];
    // The agent's lists have no prototype.
    for (let index = 0; index < headers.length; index++) {
      const { 0: name, 1: value } = headers[index]!;
      this.#requestRoom -= name.length + value.length;
      if (this.#requestRoom < 0) break;
      kept.push([name, value]);
    }
    return kept;
  }

  #body({ text, cut }: RecordedBody): RecordedBody {
    const kept = text.slice(0, Math.max(0, this.#requestRoom));
    this.#requestRoom -= kept.length;
    const why = kept.length < text.length ? 'total' : cut;
    return { text: kept, ...(why && { cut: why }) };
  }
}
