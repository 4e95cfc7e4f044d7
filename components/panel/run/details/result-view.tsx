/** How a run ended: its result, or its error with the failing step and the trace. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { CUT_OFF, mocksRemark, noResultText, stateText } from '../../../../lib/extension/panel/run/describe-badges.ts';
import { failurePlace, runErrorValue } from '../../../../lib/extension/panel/run/failure/run-error.ts';
import { StepTexts } from '../../../../lib/extension/panel/run/timeline/step-texts.ts';
import type { Progress } from '../../../../lib/extension/panel/run/run-clock.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import { iterationText } from '../../../../lib/extension/panel/run/timeline/rows.ts';
import type { Trace } from '../../../../lib/extension/panel/run/trace.ts';
import { UNDEFINED } from '../../../../lib/extension/panel/shared/remote-value.ts';
import { toJson } from '../../../../lib/extension/panel/shared/value-json.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import type { RemoteError } from '../../../../lib/extension/inspector/contract.ts';
import { RESULT_LIMIT } from '../../../../lib/platform-api/limits.ts';
import { formatDuration, formatSize } from '../../../../lib/shared/format.ts';
import { Alert, Button, EmptyState, Notice } from '../../../ui/index.ts';
import { ValueTree } from '../../shared/value-tree.tsx';
import { ReloadButton } from '../reload-button.tsx';
import { ConditionFailure } from '../why/condition-failure.tsx';
import { NO_SOURCES_PANEL } from '../step-buttons.tsx';
import { TraceLines } from './trace-lines.tsx';

/**
 * Maximum length of the result's JSON in a data attribute, in characters. Tools that read the panel use the attribute.
 */
const RESULT_ATTRIBUTE = 100_000;

export interface ResultViewProps {
  panel: Panel;
  run: ShownRun;
  progress: Progress;
}

type RunEnd = Pick<Trace, 'result' | 'resultText'> & { resultBytes?: number | null | undefined };

export function ResultView({ panel, run, progress }: ResultViewProps): JSX.Element {
  const { trace } = run;
  if (trace.error) return <Failure panel={panel} run={run} error={trace.error} />;
  if (trace.paused) return <PausedResult panel={panel} run={run} />;
  if (trace.ahead) return <Result panel={panel} run={run} end={trace.ahead} />;
  if (trace.state === 'running')
    return (
      <EmptyState
        title={progress.isPaused ? 'Paused in the debugger' : `Running for ${formatDuration(progress.elapsed)}`}
      >
        <p>The result appears here when the run ends. Select Stop to end it before its next step.</p>
      </EmptyState>
    );
  if (stateText({ ...run.record, state: trace.state }) === 'unknown')
    return (
      <EmptyState title="Result unknown">
        <p>The replay ended before the end of the run. Run the action to see its result.</p>
      </EmptyState>
    );
  if (trace.state === 'stopped')
    return (
      <Notice code="RUN_STOPPED" actions={trace.stillInPage ? <ReloadButton panel={panel} /> : null}>
        <strong>Stopped after {formatDuration(trace.milliseconds)}.</strong>
        {trace.stoppedBy ? <div>The page was left during the run, so the run was stopped.</div> : null}
        {trace.stillInPage ? (
          <div>This page’s runtime can’t be aborted. Its code may keep running until you reload the page.</div>
        ) : null}
      </Notice>
    );
  if (trace.state === 'interrupted')
    return (
      <Notice code="RUN_INTERRUPTED">
        <strong>Interrupted.</strong>
        <div>
          {run.record.origin
            ? CUT_OFF
            : 'The page went away during the run, or the panel was closed. How the run ended is unknown.'}
        </div>
      </Notice>
    );
  return <Result panel={panel} run={run} end={trace} />;
}

function PausedResult({ panel, run }: Pick<ResultViewProps, 'panel' | 'run'>): JSX.Element {
  const { error, reason } = run.trace.paused ?? {};
  if (!error)
    return (
      <EmptyState title="Paused before a step">
        <p>The result appears here when the run ends. Resume it with F8, or step with F10 and F11.</p>
      </EmptyState>
    );
  return (
    <>
      {reason === 'failure' ? (
        <p class="remark">
          The step failed, and the run is paused before it ends. Edit the context and retry the step, or set an outcome
          to continue without it.
        </p>
      ) : null}
      <Failure panel={panel} run={run} error={error} />
    </>
  );
}

/** @param end how the run ended: the trace, or what is known before the trace has all steps */
function Result({ panel, run, end }: Pick<ResultViewProps, 'panel' | 'run'> & { end: RunEnd }): JSX.Element {
  const { record, trace } = run;
  const { result = UNDEFINED, resultText, resultBytes: bytes = null } = end;
  const json = toJson(result);
  return (
    <div class="result">
      <DependsOnMocks trace={trace} what="result" />
      {result.t === 'undefined' ? <p class="remark">{noResultText(record, trace)}</p> : null}
      {bytes === null ? null : <p class="remark">{formatSize(bytes)} of JSON</p>}
      {bytes !== null && bytes > RESULT_LIMIT ? (
        <Notice code="RESULT_TOO_LARGE">
          <strong>A platform may reject this result.</strong>
          <div>
            The specification limits results of on-demand runs to {formatSize(RESULT_LIMIT)} of JSON. Return less data.
          </div>
        </Notice>
      ) : null}
      <div class="fill">
        <ValueTree
          label="Result"
          value={result}
          expand={panel.expand}
          copy={panel.copy}
          wholeText={resultText}
          mark={{ 'data-result': json.length > RESULT_ATTRIBUTE ? '' : json }}
        />
      </div>
    </div>
  );
}

function DependsOnMocks({ trace, what }: { trace: Trace; what: 'result' | 'error' }): JSX.Element | null {
  const remark = mocksRemark(trace, what);
  if (remark === null) return null;
  return (
    <p class="remark" data-depends-on-mocks={trace.mocked}>
      <span class="badge warning">mocked</span> {remark}
    </p>
  );
}

function Failure({ panel, run, error }: { panel: Panel; run: ShownRun; error: RemoteError }): JSX.Element {
  const { trace } = run;
  const nodes = panel.nodesOf(run);
  const place = useMemo(() => failurePlace(trace, new StepTexts(trace, nodes)), [trace, nodes, trace.failedStep]);
  const value = runErrorValue(error);
  const node = error.path === null ? undefined : nodes.find(({ path }) => path === error.path);
  const functionPackage = node?.package;
  return (
    <div class="failure scroll">
      <DependsOnMocks trace={trace} what="error" />
      <Alert
        error={value}
        title={
          place ? (
            <>
              <button
                type="button"
                class="link"
                title="Select this step in the timeline"
                onClick={() => panel.selection.revealStep(place.step.id)}
              >
                {place.label}
              </button>
              {place.after}
              {value.message}
            </>
          ) : null
        }
        actions={
          <span class="buttons">
            {functionPackage ? (
              <Button
                unavailable={panel.canSource ? null : NO_SOURCES_PANEL}
                onClick={() => void panel.source(functionPackage)}
              >
                Show source
              </Button>
            ) : null}
            <Button onClick={() => void panel.copy([error.errorType, error.errorMessage, ...error.trace].join('\n'))}>
              Copy
            </Button>
          </span>
        }
      />
      {error.path === null ? null : (
        <p class="remark" data-error-path={error.path}>
          At <code class="untrusted">{error.path || '/'}</code>
          {node ? ` (${node.label})` : ''}
          {!place && error.iteration.length > 0 ? `, ${iterationText(error.iteration)}` : ''}
        </p>
      )}
      {error.code === 'CONDITION_FAILED' ? <ConditionFailure panel={panel} run={run} /> : null}
      <FailureDetails panel={panel} error={error} />
    </div>
  );
}

function FailureDetails({ panel, error }: { panel: Panel; error: RemoteError }): JSX.Element {
  return (
    <>
      {error.trace.length > 0 ? <TraceLines panel={panel} lines={error.trace} /> : null}
      {error.thrown ? (
        <div>
          <p class="remark">Thrown value:</p>
          <ValueTree
            label="Thrown value"
            value={error.thrown}
            expand={panel.expand}
            copy={panel.copy}
            maxHeight={160}
            bare
          />
        </div>
      ) : null}
    </>
  );
}
