/** Owns the list of addresses that were checked, and what came of each. */
import type { JSX } from 'preact';
import { formatDuration, formatTime } from '../../../lib/shared/format.ts';
import type { Checked } from '../../../lib/extension/panel/oauth2/doctor/finding.ts';

const MOST_SHOWN = 10;

export function CheckedList({ checked }: { checked: readonly Checked[] }): JSX.Element | null {
  if (checked.length === 0) return null;
  return (
    <section class="checked" aria-label="Checked addresses">
      <ul>
        {checked
          .slice(-MOST_SHOWN)
          .toReversed()
          .map((each) => (
            <li
              key={`${each.at} ${each.request.mode} ${each.request.url}`}
              data-checked={each.request.url}
              data-mode={each.request.mode}
            >
              {formatTime(each.at, { seconds: true })} <code class="untrusted">{each.request.url}</code>{' '}
              {outcomeOf(each)}
            </li>
          ))}
      </ul>
    </section>
  );
}

function outcomeOf({ request: { mode }, answer }: Checked): string {
  if (!answer) return 'could not be asked: the page was busy, or went away.';
  const time = formatDuration(answer.milliseconds);
  if (!answer.answered)
    return mode === 'cors' ? `gave no answer that this page may read (${time}).` : `did not answer (${time}).`;
  return answer.status === null ? `answers (${time}).` : `answers ${answer.status} (${time}).`;
}
