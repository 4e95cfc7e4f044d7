/** Describes a recorded request: what is known about it, and its bodies as text. */
import { formatDuration, formatSize, truncate } from '../../../shared/format.ts';
import type { RecordedBody } from '../../inspector/contract.ts';
import type { RequestLine } from './trace.ts';

const CUTS: Record<NonNullable<RecordedBody['cut']>, string> = {
  length: 'The body is longer. Only its start was recorded.',
  total: 'The bodies of this run take too much space. The rest of this one wasn’t recorded.',
  time: 'The body hadn’t ended in time. Only its start was recorded.',
  stream: 'The response is a stream of events, so its body wasn’t recorded.',
  binary: 'The body isn’t text, so it wasn’t recorded.',
};

/** Why a body isn't whole; null if it is. */
export const cutText = ({ cut }: RecordedBody): string | null => (cut ? CUTS[cut] : null);

/** A request's URL for a list: without the page's own origin. */
export function listedUrl(url: string, pageUrl: string | null): string {
  if (pageUrl === null || !URL.canParse(pageUrl)) return truncate(url, 300);
  const { origin } = new URL(pageUrl);
  return truncate(url.startsWith(`${origin}/`) ? url.slice(origin.length) : url, 300);
}

/** A body for display: JSON is indented. */
export function bodyText({ text, cut }: RecordedBody): string {
  if (cut !== undefined || !/^\s*[{[]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param elapsed how long the run has been running; null if it has ended */
export function statusText({ status, error }: Pick<RequestLine, 'status' | 'error'>, elapsed: number | null): string {
  if (error) return error;
  if (status !== null) return String(status);
  return elapsed === null ? 'unknown' : 'pending';
}

/** @param elapsed how long the run has been running; null if it has ended */
export function requestFacts(
  { method, url, status, error, bytes, at, end }: RequestLine,
  elapsed: number | null,
): [name: string, value: string][] {
  const until = end ?? elapsed;
  return [
    ['URL', truncate(url, 2_000)],
    ['Method', truncate(method, 40)],
    ['Status', truncate(statusText({ status, error }, elapsed), 500)],
    ['Size', bytes === null ? 'unknown' : formatSize(bytes)],
    ['Started', `${formatDuration(at)} after the run`],
    ['Duration', until === null ? 'unknown' : formatDuration(until - at)],
  ];
}
