/** Owns the shown run: its head, timeline and details. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, formatTime, plural } from '../../../lib/shared/format.ts';
import type { ShownRun } from '../../../lib/extension/panel/run/runs.ts';
import { Alert, Badge, Button, Splitter } from '../../ui/index.ts';
import { Details } from './details.tsx';
import { Timeline } from './timeline.tsx';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';

const TONES = {
  running: 'plain',
  completed: 'success',
  failed: 'danger',
  stopped: 'warning',
  interrupted: 'warning',
} as const;

export function RunView({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element {
  void panel.runs.version.value;
  const isCompared = panel.selection.comparing.value !== null && run.trace.state !== 'running';
  const Compare = useLoaded(
    () => import('./compare/compare-view.tsx').then((module) => module.CompareView),
    isCompared,
  );
  const place = useRef<HTMLElement>(null);
  const wasCompared = useRef(false);
  useEffect(() => {
    // Whoever comes back goes on from the button that led there.
    if (!isCompared && wasCompared.current) place.current?.querySelector<HTMLElement>('[data-tools] button')?.focus();
    wasCompared.current = isCompared;
  }, [isCompared]);
  if (isCompared && Compare === 'failed') return <Alert error={NOT_LOADED} />;
  if (isCompared && typeof Compare === 'function') return <Compare panel={panel} run={run} />;
  return (
    <section ref={place} class="run" aria-label="Run" data-shown-run={run.record.id} data-run-state={run.trace.state}>
      <RunHead panel={panel} run={run} />
      <div class="fill">
        <Splitter label="Size of timeline and details" direction="rows" share={55}>
          <Timeline panel={panel} trace={run.trace} />
          <Details panel={panel} run={run} />
        </Splitter>
      </div>
    </section>
  );
}

/** What a run made too much of to hold, in words. */
function leftOut({ leftOut: { lines, requests, changes } }: ShownRun['trace']): string[] {
  return [
    ...(lines > 0 ? [plural(lines, 'console line')] : []),
    ...(requests > 0 ? [plural(requests, 'request')] : []),
    ...(changes > 0 ? [plural(changes, 'change')] : []),
  ];
}

function RunHead({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element {
  const { record, trace } = run;
  // The trace grows in place: the version says when.
  void panel.runs.version.value;
  const steps = trace.steps.size;
  return (
    <header class="section-head run-head">
      <h2>Run {record.number || ''}</h2>
      <span role="status">
        <Badge tone={TONES[trace.state]}>{trace.state}</Badge>
      </span>
      <span class="muted">
        {formatDuration(trace.milliseconds)} · {plural(steps, 'step')} ·{' '}
        {formatTime(trace.startedAt, { seconds: true })}
      </span>
      {trace.tracing === 'observed' ? null : (
        <Badge tone="warning">{trace.tracing === 'wrapped' ? 'functions only' : 'start and end only'}</Badge>
      )}
      {trace.dropped > 0 ? <Badge tone="warning">{plural(trace.dropped, 'event')} lost</Badge> : null}
      {leftOut(trace).length > 0 ? <Badge tone="warning">without {leftOut(trace).join(', ')}</Badge> : null}
      {record.cut ? <Badge tone="warning">kept in part</Badge> : null}
      <span class="grow" />
      <span data-tools="">
        <Button
          kind="quiet"
          title="Compare this run with another one"
          unavailable={trace.state === 'running' ? 'It is going on.' : null}
          onClick={() => panel.selection.compare('')}
        >
          Compare
        </Button>
        <Button
          kind="quiet"
          title="Run again with this run's payload"
          unavailable={
            panel.runs.live.value
              ? 'A run is going on.'
              : panel.page.hint.value || !panel.page.state.value
                ? 'There is no action in this page.'
                : null
          }
          onClick={() => void panel.runAgain()}
        >
          Run again
        </Button>
      </span>
    </header>
  );
}
