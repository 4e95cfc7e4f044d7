/** Runs an action on the platform, either in the queue or while waiting for the result, and shows the outcome. */
import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import { PAYLOAD_LIMIT } from '../../../lib/platform-api/limits.ts';
import { cannotRunHere, type RunOutcome } from '../../../lib/extension/panel/actions/action-work.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { checkPayloadText, type PayloadCheck, payloadText } from '../../../lib/extension/panel/run/payload/payload.ts';
import { Alert, Button, Meter } from '../../ui/index.ts';
import { ValueTree } from '../shared/value-tree.tsx';
import { PayloadEditor } from '../shared/payload-editor.tsx';
import { LogDetail } from './log-detail.tsx';
import { TraceLines } from './trace-lines.tsx';
import { useNow } from '../shared/use-now.ts';
import { MocksMenu } from '../run/mocks/mocks-menu.tsx';
import { ProductionBadge } from '../shell/guard-badges.tsx';

export interface RunSectionProps {
  panel: Panel;
  state: ActionsState;
  action: Action;
}

export function RunSection({ panel, state, action }: RunSectionProps): JSX.Element {
  const id = useId();
  const subject = panel.subjectOfAction(action.id) ?? '';
  const text = panel.payloads.textOf(subject);
  const check = useMemo(() => checkPayloadText(text), [text]);
  const { busy, run } = state.work.of(action.id);
  const isWaiting = run?.kind === 'waiting';
  const reason =
    state.cannotReach.value ??
    cannotRunHere(action) ??
    state.mocks.cannotApply.value ??
    check.problem?.message ??
    (busy || isWaiting ? 'Wait for the current operation to finish' : null);
  const payload = (): Record<string, unknown> => JSON.parse(payloadText(text)) as Record<string, unknown>;
  const runWithResult = (): void => {
    if (reason === null) void state.run('runWithResult', action, payload());
  };
  const editMocks = (): void => {
    void panel.openInRun(action.id);
    panel.mockEditor.open();
  };
  return (
    <section class="part payload" aria-label="Run on the platform">
      <Head length={check.length ?? text.trim().length} />
      <PayloadEditor
        text={text}
        problem={check}
        onText={(next) => panel.payloads.setTextOf(subject, next)}
        onRun={runWithResult}
        describedBy={`${id}-problem`}
      />
      <PayloadProblem id={`${id}-problem`} problem={check.problem} />
      <div class="buttons">
        <Button
          unavailable={reason}
          title="Queue a run of the working copy. Its log record appears here"
          onClick={() => void state.run('run', action, payload())}
        >
          {busy === 'run' ? 'Queueing…' : 'Run now'}
        </Button>
        <Button unavailable={reason} title="Run the working copy and wait for the result" onClick={runWithResult}>
          Run with result
        </Button>
        {isWaiting ? <Button onClick={() => state.work.stopWaiting(action)}>Cancel</Button> : null}
        <MocksMenu mocks={state.mocks} onEdit={editMocks} />
        <ProductionBadge panel={panel} />
      </div>
      {cannotRunHere(action) ? <p class="muted">{cannotRunHere(action)}</p> : null}
      <div role="status">{run ? <Outcome panel={panel} run={run} action={action} /> : null}</div>
    </section>
  );
}

const Head = ({ length }: { length: number }): JSX.Element => (
  <header class="part-head">
    <h3>Run on the platform</h3>
    <span class="grow" />
    <Meter label="Payload length" value={length} max={PAYLOAD_LIMIT} unit="characters" />
  </header>
);

function PayloadProblem({ id, problem }: { id: string; problem: PayloadCheck['problem'] }): JSX.Element {
  return (
    <div class="payload-problem" id={id} aria-live="polite">
      {problem ? (
        <p data-payload-error={problem.code}>
          <strong>{problem.message}</strong> {problem.hint}
        </p>
      ) : null}
    </div>
  );
}

function Outcome({ panel, run, action }: { panel: Panel; run: RunOutcome; action: Action }): JSX.Element {
  switch (run.kind) {
    case 'waiting':
      return <Waiting since={run.since} />;
    case 'detached':
      return (
        <p data-run-continues="">The panel no longer waits. If the run was started, its log record shows the result.</p>
      );
    case 'failed':
      return (
        <div data-run-failed={run.error.code}>
          <Alert error={run.error} />
          {run.error.failure ? <TraceLines lines={run.error.failure.trace} /> : null}
        </div>
      );
    case 'result':
      return (
        <div data-run-result={run.json.length > 100_000 ? '' : run.json}>
          <p class="muted">
            Completed in {formatDuration(run.milliseconds)}
            {mocksText(run.mocks)}
          </p>
          <ValueTree
            label="Result"
            value={run.result}
            expand={panel.expand}
            copy={panel.copy}
            maxHeight={240}
            bare={run.json.length < 200}
          />
        </div>
      );
    case 'queued':
      return <Queued panel={panel} run={run} action={action} />;
  }
}

function Queued({
  panel,
  run,
  action,
}: {
  panel: Panel;
  run: Extract<RunOutcome, { kind: 'queued' }>;
  action: Action;
}): JSX.Element {
  return (
    <div data-run-id={run.runId ?? ''}>
      <p>
        {run.runId === null ? (
          'Queued a run'
        ) : (
          <>
            Queued run <code class="untrusted">{run.runId}</code>
          </>
        )}
        {mocksText(run.mocks)}.{run.record || run.error ? '' : ' Its log record appears here when the run ends.'}
      </p>
      {run.record && run.runId === null ? (
        <p class="muted">The first on-demand run of this action since. Another user’s run looks the same.</p>
      ) : null}
      {run.record ? <LogDetail panel={panel} record={run.record} actionId={action.id} /> : null}
      {run.error && !run.record ? <Alert error={run.error} /> : null}
    </div>
  );
}

const mocksText = (mocks: number): string => (mocks === 0 ? '' : ` with ${plural(mocks, 'mock')} on`);

function Waiting({ since }: { since: number }): JSX.Element {
  const now = useNow(1_000);
  return (
    <p data-run-waiting="">
      Waiting for {formatDuration(Math.max(0, Math.round((now - since) / 1000) * 1000))}. A run may wait in the queue
      first. Runs are limited to 120 seconds.
    </p>
  );
}
