/** Owns how a time and what is not told stand in a cell. */
import type { JSX } from 'preact';
import { timeOf } from '../../../lib/contract/timestamp.ts';
import { relativeTime } from '../../../lib/panel/actions/times.ts';
import { cut } from '../../../lib/panel/format.ts';

/** From now; the whole time in its tooltip. One that lies ahead is marked: a platform tells only what has been. */
export function Moment({ at, now }: { at: number | null; now: number }): JSX.Element {
  if (at === null) return <NotTold />;
  const date = new Date(at);
  // A clock may differ by a little.
  const isAhead = at > now + 60_000;
  return <time class={isAhead ? 'ahead' : undefined} dateTime={date.toISOString()} title={`${localText(date)}${isAhead ? ', in the future' : ''}`}>{relativeTime(isAhead ? at : Math.min(at, now), now)}</time>;
}

/** `2026-11-21 14:03:27` in the person's zone; `Intl` takes too long for every cell of a table that is scrolled. */
function localText(date: Date): string {
  const [month, day, ...clock] = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day} ${clock.join(':')}`;
}

/** As the platform told it: what is no date is shown as it came. */
export function Told({ text, now }: { text: string | null; now: number }): JSX.Element {
  const at = timeOf(text);
  return at === null && text ? <span><code class="untrusted">{cut(text, 60)}</code> is no date</span> : <Moment at={at} now={now} />;
}

export function NotTold(): JSX.Element {
  return <span class="muted" aria-label="not told">–</span>;
}
