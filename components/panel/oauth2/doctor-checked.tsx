/** Lists the URLs that the doctor checked most recently, and their responses. */
import type { JSX } from 'preact';
import { formatDuration } from '../../../lib/shared/format.ts';
import { DateTime } from '../../ui/small.tsx';
import type { Checked } from '../../../lib/extension/panel/oauth2/doctor/finding.ts';

const MAX_SHOWN = 10;

export function CheckedList({ checked }: { checked: readonly Checked[] }): JSX.Element | null {
  if (checked.length === 0) return null;
  const latest = checked.slice(-MAX_SHOWN).toReversed();
  return (
    <section class="checked" aria-label="Checked URLs">
      <ul>
        {latest.map((each) => {
          const { request, at } = each;
          return (
            <li key={`${at} ${request.mode} ${request.url}`} data-checked={request.url} data-mode={request.mode}>
              <DateTime at={at} seconds /> <code class="untrusted">{request.url}</code> {outcomeOf(each)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function outcomeOf({ request: { mode }, result }: Checked): string {
  if (!result) return 'wasn’t checked: the page was busy or navigated.';
  const time = formatDuration(result.milliseconds);
  if (result.answered)
    return result.status === null ? `responded (${time}).` : `responded with ${result.status} (${time}).`;
  return mode === 'cors' ? `sent no response that this page may read (${time}).` : `no response arrived (${time}).`;
}
