/** Shows the event that was fired and the runs it triggered. */
import type { JSX } from 'preact';
import type { Action } from '../../../../lib/platform-api/action.ts';
import type { LogRecord } from '../../../../lib/platform-api/log.ts';
import { fieldText, isFields } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import type { Fired, TriggerLab } from '../../../../lib/extension/panel/actions/lab/lab.ts';
import type { FiredActions } from '../../../../lib/extension/inspector/contract.ts';
import { actionIdOf } from '../../../../lib/extension/panel/actions/log-records.ts';
import { formatCount, formatDuration, plural, truncate } from '../../../../lib/shared/format.ts';
import { Badge, Button } from '../../../ui/index.ts';

export function FiredView({ lab, actions }: { lab: TriggerLab; actions: readonly Action[] }): JSX.Element {
  const last = lab.fired.value;
  const fired = last?.kind === lab.kind.value ? last : null;
  return (
    <div aria-live="polite" class="lab-fired" data-fired={fired?.kind}>
      {fired?.kind === 'log' ? (
        <Record fired={fired} nameOf={(id) => actions.find((one) => one.id === id)?.name ?? `action ${id}`} />
      ) : null}
      {fired?.kind === 'analytics' ? <Event fired={fired} /> : null}
    </div>
  );
}

interface RecordProps {
  fired: Extract<Fired, { kind: 'log' }>;
  nameOf: (id: number) => string;
}

function Record({ fired: { record, runs }, nameOf }: RecordProps): JSX.Element {
  const logs = runs.logs.value;
  const state = runs.state.value;
  const elapsed = formatDuration(runs.elapsed.value);
  return (
    <>
      <p>
        Added <strong>log record {record.id}</strong> <code class="untrusted">{record.type}</code>.
      </p>
      <ul>
        {logs.map((log) => (
          <Run key={log.id} log={log} name={nameOf(log.data['actionId'] as number)} />
        ))}
      </ul>
      {runs.error.value ? (
        <p class="problem">
          {runs.error.value.message} {runs.error.value.hint}
        </p>
      ) : null}
      <p class="muted" data-watch={state}>
        {state === 'waiting'
          ? 'Waiting for runs…'
          : state === 'all'
            ? 'Each matching action has logged a run since.'
            : runs.error.value
              ? 'Unknown which actions ran: the log couldn’t be read.'
              : logs.length > 0
                ? `No more runs were found in the log within ${elapsed}.`
                : `No runs were found in the log within ${elapsed}.`}
        {state === 'ended' ? (
          <>
            {' '}
            <Button kind="quiet" onClick={runs.restart}>
              Check again
            </Button>
          </>
        ) : null}
      </p>
    </>
  );
}

function Run({ log, name }: { log: LogRecord; name: string }): JSX.Element {
  const isFailed = log.type === 'app.task.failed';
  const { duration, result } = log.data;
  return (
    <li data-run-log={log.id} data-action={actionIdOf(log) ?? undefined}>
      <Badge tone={isFailed ? 'danger' : 'success'}>{isFailed ? 'failed' : 'completed'}</Badge>{' '}
      <strong class="untrusted">{name}</strong>
      {typeof duration === 'number' ? `, ${formatDuration(duration)}` : ''}
      {result === undefined ? null : (
        <pre class="untrusted">
          {isFailed && isFields(result)
            ? truncate(fieldText(result['errorMessage']), 1_000)
            : truncate(JSON.stringify(result, null, 2), 2_000)}
        </pre>
      )}
      <span class="muted"> log {log.id}</span>
    </li>
  );
}

interface EventProps {
  fired: Extract<Fired, { kind: 'analytics' }>;
}

function Event({ fired: { event, state, fired, mode } }: EventProps): JSX.Element {
  const type = String(event['type']);
  if (state === 'waiting')
    return (
      <p data-watch="waiting">
        Sending <code>{type}</code> from the {mode} page…
      </p>
    );
  return (
    <>
      <p>
        Sent <code>{type}</code> from the {mode} page.
      </p>
      <ul>
        {(fired?.actions ?? []).map(({ actionId, name, state: outcome }) => (
          <li key={actionId} data-action={actionId}>
            <Badge tone={TONES[outcome]}>{outcome}</Badge> <strong class="untrusted">{name}</strong>
          </li>
        ))}
      </ul>
      <p class="muted" data-watch="ended">
        {firedText(fired)}
      </p>
    </>
  );
}

const TONES = { completed: 'success', failed: 'danger', unknown: 'plain' } as const;

function firedText(fired: FiredActions | null): string {
  if (fired === null) return 'The page doesn’t report which actions it fired.';
  const { actions, unread } = fired;
  const count = actions.length === 0 ? 'no actions' : plural(actions.length, 'action');
  return `The page reports ${count} for this event${unread === 0 ? '' : `, and ${formatCount(unread)} that couldn’t be read`}.`;
}
