/** Events that happened while neither version was live for sure, and what became of them. */
import type { JSX } from 'preact';
import type { Switching } from '../../../../lib/extension/panel/migrate/switch-over/switching.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import { ActionTime } from '../../shared/time.tsx';

const VERDICTS = {
  handled: 'handled',
  given: 'run by hand',
  pending: 'might still run',
  missed: 'missed',
  unsure: 'not in the log',
};
const SHOWN = 200;

export function GapView({ switching }: { switching: Switching }): JSX.Element | null {
  const items = switching.gap.value;
  const journal = switching.situation.value?.journal;
  if (items === null || !journal?.gap) return null;
  const canRun = journal.draft.triggers.some(({ trigger }) => trigger === 'manual');
  const open = items.filter(({ verdict }) => verdict !== 'handled');
  const pending = open.filter(({ verdict }) => verdict === 'pending').length;
  const wait = switching.busy.value === null ? null : 'Wait until the current step has ended';
  return (
    <div class="switch-gap" data-gap={open.length}>
      <p role="status">
        {plural(items.length, 'event')} in the gap, {items.length - open.length} handled.{' '}
        {pending > 0 ? `${pending} might still run. Check again in 3 minutes.` : ''}
      </p>
      <ul>
        {open.slice(0, SHOWN).map((item) => (
          <li key={item.key} data-verdict={item.verdict}>
            <span class="untrusted">{item.record ? `${item.record.type} ${item.record.id}` : 'Scheduled run'}</span>{' '}
            <ActionTime at={item.at} now={Date.now()} /> <strong>{VERDICTS[item.verdict]}</strong>{' '}
            {item.verdict === 'missed' || item.verdict === 'unsure' ? (
              <Button
                unavailable={canRun ? wait : 'Cause the event again: the action has no manual trigger'}
                onClick={() => void switching.handOver(item)}
              >
                Run event…
              </Button>
            ) : null}
          </li>
        ))}
        {open.length > SHOWN ? <li class="muted">and {open.length - SHOWN} more</li> : null}
      </ul>
      <Button unavailable={wait} onClick={() => void switching.dismissGap()}>
        End the check
      </Button>
    </div>
  );
}
