/** Owns how a run ended: its result, or its error with the place and the trace. */
import type { JSX } from 'preact';
import { RESULT_LIMIT } from '../../../lib/platform-api/limits.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, formatSize } from '../../../lib/shared/format.ts';
import { runErrorValue } from '../../../lib/extension/panel/run/run-error.ts';
import type { ShownRun } from '../../../lib/extension/panel/run/runs.ts';
import { iterationText } from '../../../lib/extension/panel/run/timeline-rows.ts';
import type { Trace } from '../../../lib/extension/panel/run/trace.ts';
import { UNDEFINED } from '../../../lib/extension/panel/shared/remote-value.ts';
import { toJson } from '../../../lib/extension/panel/shared/value-json.ts';
import { Alert, Button, EmptyState, Notice } from '../../ui/index.ts';
import { ValueTree } from '../../ui/value-tree.tsx';

/** Characters of the result that stand beside it as JSON, for tools that read the panel. */
const RESULT_ATTRIBUTE = 100_000;

export function ResultView({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element {
  const { trace } = run;
  const reload = (
    <Button
      unavailable={panel.canReload ? null : 'This browser can’t reload it from here.'}
      onClick={() => void panel.reload()}
    >
      Reload page
    </Button>
  );
  if (trace.error) return <Failure panel={panel} trace={trace} />;
  if (trace.state === 'running')
    return (
      <EmptyState title={`Running for ${formatDuration(trace.milliseconds)}`}>
        <p>The result stands here when the run ends. Stop ends it before its next step.</p>
      </EmptyState>
    );
  if (trace.state === 'stopped') {
    return (
      <Notice code="RUN_STOPPED" actions={trace.goesOn ? reload : null}>
        <strong>Stopped after {formatDuration(trace.milliseconds)}.</strong>
        {trace.goesOn ? (
          <div>This runtime takes no signal: its code may go on in the page until it is reloaded.</div>
        ) : null}
      </Notice>
    );
  }
  if (trace.state === 'interrupted')
    return (
      <Notice code="RUN_INTERRUPTED">
        <strong>Interrupted.</strong>
        <div>
          The panel was closed while it ran, and its page has been left or reloaded since: nobody saw how it ended. What
          was told until then is kept.
        </div>
      </Notice>
    );
  const result = trace.result ?? UNDEFINED;
  const json = toJson(result);
  return (
    <div class="result">
      {result.t === 'undefined' ? (
        <p class="remark">The run has no result: none of its functions returned a value.</p>
      ) : null}
      {trace.resultBytes !== null ? <p class="remark">{formatSize(trace.resultBytes)} of JSON</p> : null}
      {trace.resultBytes !== null && trace.resultBytes > RESULT_LIMIT ? (
        <Notice code="RESULT_TOO_LARGE">
          <strong>The platform would refuse this result.</strong>
          <div>
            A page hands it over whatever its size; a run on demand fails when its result has more than{' '}
            {formatSize(RESULT_LIMIT)} of JSON. Return less, or a part at a time.
          </div>
        </Notice>
      ) : null}
      <div class="fill">
        <ValueTree
          label="Result"
          value={result}
          expand={panel.expand}
          copy={panel.copy}
          wholeText={trace.resultText}
          mark={{ 'data-result': json.length > RESULT_ATTRIBUTE ? '' : json }}
        />
      </div>
    </div>
  );
}

function Failure({ panel, trace }: { panel: Panel; trace: Trace }): JSX.Element | null {
  const { error } = trace;
  if (!error) return null;
  const failed = trace.failedStep;
  const node = error.path === null ? undefined : panel.page.nodes.value.find((one) => one.path === error.path);
  return (
    <div class="failure scroll">
      <Alert
        error={runErrorValue(error)}
        actions={
          <span class="buttons">
            {failed === null ? null : <Button onClick={() => panel.selection.selectStep(failed)}>Show step</Button>}
            {node?.package ? (
              <Button
                unavailable={panel.canSource ? null : 'This browser does not let an extension open the Sources panel.'}
                onClick={() => node.package && void panel.source(node.package)}
              >
                Source
              </Button>
            ) : null}
            <Button onClick={() => void panel.copy([error.errorType, error.errorMessage, ...error.trace].join('\n'))}>
              Copy
            </Button>
          </span>
        }
      />
      {error.path !== null ? (
        <p class="remark" data-error-path={error.path}>
          At <code class="untrusted">{error.path || '/'}</code>
          {node ? ` (${node.label})` : ''}
          {error.iteration.length > 0 ? `, ${iterationText(error.iteration)}` : ''}
        </p>
      ) : null}
      {error.trace.length > 0 ? (
        <ol class="trace mono" aria-label="Trace">
          {error.trace.slice(0, 200).map((line, index) => (
            <li key={index} class="untrusted">
              {line.slice(0, 1000)}
            </li>
          ))}
        </ol>
      ) : null}
      {error.thrown ? (
        <div>
          <p class="remark">What was thrown:</p>
          <ValueTree
            label="What was thrown"
            value={error.thrown}
            expand={panel.expand}
            copy={panel.copy}
            maxHeight={160}
            bare
          />
        </div>
      ) : null}
    </div>
  );
}
