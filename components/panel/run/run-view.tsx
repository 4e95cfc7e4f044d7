/** The displayed run: its header, timeline, and details. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  engineBadge,
  missingBadges,
  recordingBadge,
  mocksBadge,
  originBadge,
  RELOADED,
  type RunBadge as Badge,
  stateBadge,
} from '../../../lib/extension/panel/run/describe-badges.ts';
import { engineNote, stepsText, tracingText } from '../../../lib/extension/panel/run/describe-steps.ts';
import type { Progress } from '../../../lib/extension/panel/run/run-clock.ts';
import type { ShownRun } from '../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration } from '../../../lib/shared/format.ts';
import { BadgeButton, Button, DateTime, Splitter } from '../../ui/index.ts';
import { PauseButton } from './debug/pause-bar.tsx';
import { Details } from './details/details.tsx';
import { RecordingMenu } from './recordings/recording-menu.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useIsCramped, useIsTiny } from './use-layout.ts';
import { late } from '../shared/late.tsx';
import './run-view.css';

const RecordingNotices = late(() =>
  import('./recordings/recording-notices.tsx').then((module) => module.RecordingNotices),
);

export interface RunViewProps {
  panel: Panel;
  run: ShownRun;
  /** The menu of past runs, if the panel doesn’t show their list. */
  pastRuns: ComponentChildren;
  /** Whether to move focus back to *Compare* after a comparison. */
  focusTools: boolean;
}

export function RunView({ panel, run, pastRuns, focusTools }: RunViewProps): JSX.Element {
  const isTiny = useIsTiny();
  const direction = useIsCramped() && !isTiny ? 'columns' : 'rows';
  void panel.runs.version.value;
  const progress = panel.progressOf(run);
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    if (focusTools) root.current?.querySelector<HTMLElement>('[data-tools] button')?.focus();
  }, []);
  return (
    <section ref={root} class="run" aria-label="Run" data-shown-run={run.record.id} data-run-state={run.trace.state}>
      <RunHeader panel={panel} run={run} progress={progress} pastRuns={pastRuns} />
      {panel.recordings.hasNotice.value ? <RecordingNotices panel={panel} run={run} /> : null}
      <div class="fill">
        <Splitter
          key={direction}
          label="Resize timeline and details"
          direction={direction}
          share={direction === 'rows' ? 50 : 42}
        >
          <Timeline panel={panel} trace={run.trace} progress={progress} />
          <Details panel={panel} run={run} progress={progress} />
        </Splitter>
      </div>
    </section>
  );
}

type RunHeaderProps = Omit<RunViewProps, 'focusTools'> & { progress: Progress };

function RunHeader({ panel, run, progress, pastRuns }: RunHeaderProps): JSX.Element {
  // The trace grows in place, so components must read `version` to re-render.
  void panel.runs.version.value;
  const { record, trace } = run;
  const tracing = tracingText(trace);
  const recording = recordingBadge(record);
  return (
    <header class="section-head run-head">
      <h2>Run {record.number || ''}</h2>
      <RunBadges panel={panel} run={run} progress={progress} />
      <span class="muted">
        {formatDuration(progress.elapsed)}
        {tracing ? (
          <span class="tracing" title="The part of this time that tracing the steps took">
            {' '}
            ({tracing})
          </span>
        ) : null}
        {trace.unstored ? '' : ` · ${trace.ahead ? 'loading ' : ''}${stepsText(trace)}${trace.ahead ? '…' : ''}`}
        <span class="started">
          {' '}
          · <DateTime at={record.startedAt} seconds />
        </span>
      </span>
      <span class="warnings">
        {missingBadges(run).map((badge) => (
          <RunBadge key={badge.text} badge={badge} />
        ))}
        {recording ? <RunBadge badge={recording} /> : null}
      </span>
      {pastRuns}
      <span data-tools="">
        {trace.state === 'running' && !trace.paused ? <PauseButton panel={panel} /> : null}
        <Button
          kind="quiet"
          title="Compare this run with another one"
          unavailable={trace.state === 'running' ? 'Wait for the run to end' : null}
          onClick={() => panel.selection.compare('')}
        >
          Compare
        </Button>
        <RecordingMenu panel={panel} run={run} />
      </span>
    </header>
  );
}

/** The run’s state, and what kind of run it is. */
function RunBadges({ panel, run: { record, trace }, progress }: Omit<RunHeaderProps, 'pastRuns'>): JSX.Element {
  const engine = engineNote(record);
  const mocks = mocksBadge(trace);
  const origin = originBadge(record, panel.runs.records.value);
  return (
    <span role="status">
      <RunBadge
        badge={stateBadge(trace.ahead?.state ?? trace.state, progress.isPaused, {
          isAtStep: trace.paused !== null,
          stoppedBy: trace.stoppedBy,
          origin: record.origin,
        })}
      />
      {panel.starter.reloadedFor.value === record.id ? <RunBadge badge={RELOADED} /> : null}
      {engine ? <RunBadge badge={engineBadge(engine)} /> : null}
      {mocks ? <RunBadge badge={mocks} /> : null}
      {origin ? <RunBadge badge={origin} /> : null}
    </span>
  );
}

const RunBadge = ({ badge: { text, tone, explanation } }: { badge: Badge }): JSX.Element => (
  <BadgeButton tone={tone} explanation={explanation}>
    {text}
  </BadgeButton>
);
