/** Details of the selected step, or of the whole run if none is selected. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { contextDifferences, withNested } from '../../../../lib/extension/panel/run/context-changes.ts';
import { missingText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import type { Progress } from '../../../../lib/extension/panel/run/run-clock.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { DetailTab } from '../../../../lib/extension/panel/run/selection.ts';
import { iterationText } from '../../../../lib/extension/panel/run/timeline/rows.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatDuration } from '../../../../lib/shared/format.ts';
import { Button, EmptyState, Tabs } from '../../../ui/index.ts';
import { late } from '../../shared/late.tsx';
import { ValueTree } from '../../shared/value-tree.tsx';
import { ContextView } from './context-view.tsx';
import { Definition, NoSettings } from './definition.tsx';
import { ResolvedSettings } from './resolved-settings.tsx';
import { ResultView } from './result-view.tsx';
import { StepMore } from '../debug/step-more.tsx';
import { MockOutcome } from '../mocks/mock-outcome.tsx';
import { ReplacedMark } from '../replaced-mark.tsx';
import { StateIcon } from '../state-icon.tsx';
import { StepButtons } from '../step-buttons.tsx';
import { UnrunStep } from './unrun-step.tsx';

const ConsoleLines = late(() => import('./console-lines.tsx').then((module) => module.ConsoleLines));
const WatchView = late(() => import('../debug/watch-view.tsx').then((module) => module.WatchView));
const WhyView = late(() => import('../why/why-view.tsx').then((module) => module.WhyView));
const NetworkLines = late(() => import('./network-lines.tsx').then((module) => module.NetworkLines));

export interface DetailsProps {
  panel: Panel;
  run: ShownRun;
  progress: Progress;
}

export function Details({ panel, run, progress }: DetailsProps): JSX.Element {
  const { selection, runs } = panel;
  void runs.version.value;
  const unrun = panel.treeNodes.value.find(({ path }) => path === selection.unrun.value);
  const step = run.trace.steps.get(selection.step.value ?? -1) ?? null;
  const isOfTree = run.local !== undefined || runs.isOfPage(run.record);
  if (unrun && !step) return <UnrunStep panel={panel} run={isOfTree ? run : null} node={unrun} />;
  return <StepDetails panel={panel} run={run} progress={progress} step={step} />;
}

interface StepDetailsProps extends DetailsProps {
  step: TraceStep | null;
}

function StepDetails({ panel, run, progress, step }: StepDetailsProps): JSX.Element {
  const { selection, runs } = panel;
  const { trace } = run;
  const version = runs.version.value;
  const tab = selection.tab.value;
  // A whole run can have many differences, so they're computed only when shown.
  const needsDifferences = step !== null || tab === 'context';
  const differences = useMemo(
    () => (needsDifferences ? contextDifferences(trace, step) : []),
    [trace, step, version, needsDifferences],
  );
  const missing = missingText(trace);
  const { lines, requests } = useMemo(() => linesWithin(run, step), [trace, step, version]);
  return (
    <section class="details" data-detail="" aria-label="Details">
      <Tabs<DetailTab>
        label="Details"
        extra={<StepHeader panel={panel} run={run} step={step} progress={progress} />}
        selected={tab}
        onSelect={selection.openTab}
        tabs={[
          { id: 'result', label: (trace.error ?? trace.paused?.error) ? 'Error' : 'Result' },
          { id: 'context', label: 'Context', badge: differences.length },
          { id: 'settings', label: settingsLabel(step) },
          { id: 'watch', label: 'Watch', badge: panel.debug.watches.list.value.length },
          { id: 'console', label: 'Console', badge: lines.length },
          { id: 'network', label: 'Network', badge: requests.length },
        ]}
      >
        {tab === 'result' ? <ResultView panel={panel} run={run} progress={progress} /> : null}
        {tab === 'context' ? <ContextView panel={panel} run={run} step={step} differences={differences} /> : null}
        {tab === 'settings' ? <Settings panel={panel} run={run} step={step} /> : null}
        {tab === 'watch' ? <WatchView panel={panel} /> : null}
        {tab === 'console' ? (
          <ConsoleLines panel={panel} lines={lines} omitted={trace.omitted.lines} missing={missing} />
        ) : null}
        {tab === 'network' ? (
          <NetworkLines
            panel={panel}
            requests={requests}
            omitted={trace.omitted.requests}
            missing={missing}
            elapsed={trace.state === 'running' ? progress.elapsed : null}
          />
        ) : null}
      </Tabs>
    </section>
  );
}

function settingsLabel(step: TraceStep | null): string {
  if (!step) return 'Payload';
  return { function: 'Settings', loop: 'Loop', if: 'Why' }[step.kind];
}

/** Console lines and requests of a step and all steps nested inside it. */
function linesWithin({ trace }: ShownRun, step: TraceStep | null) {
  const ids = withNested(trace, step);
  const isWithin = (line: { step: number | null }): boolean =>
    ids === null || (line.step !== null && ids.has(line.step));
  return { lines: trace.console.filter(isWithin), requests: [...trace.requests.values()].filter(isWithin) };
}

function StepHeader({ panel, run, step, progress }: StepDetailsProps): JSX.Element {
  const { debug, runs } = panel;
  if (!step)
    return (
      <header class="step-head">
        <span class="whole-run muted">Showing the whole run. Select a step to see its details.</span>
      </header>
    );
  const node = runs.isOfPage(run.record) ? debug.nodeAt(step.path) : undefined;
  return (
    <header class="step-head">
      <StateIcon state={step.state} isPaused={progress.isPaused} />
      <strong class="mono untrusted" title={step.name}>
        {shortName(step.name).slice(0, 200)}
      </strong>
      <span class="path muted untrusted">
        <code>{step.path ?? 'path unknown'}</code>
        {step.iteration.length > 0 ? `, ${iterationText(step.iteration)}` : ''} · {durationText(step, progress)}
      </span>
      <ReplacedMark step={step} />
      <span class="grow" />
      <MockOutcome key={step.id} panel={panel} run={run} step={step} />
      {step.kind === 'function' ? <StepButtons panel={panel} name={step.name} /> : null}
      {node ? <StepMore panel={panel} node={node} from={{ run, step }} /> : null}
      <Button kind="quiet" label="Show the whole run" title="Show the whole run (Esc)" onClick={panel.selection.clear}>
        ✕
      </Button>
    </header>
  );
}

function durationText({ state, start, end }: TraceStep, { elapsed, isPaused }: Progress): string {
  if (state === 'unstored') return 'end unknown';
  if (end !== null) return formatDuration(end - start);
  return `${isPaused ? 'paused after' : 'running for'} ${formatDuration(elapsed - start)}`;
}

function Settings({ panel, run, step }: Omit<StepDetailsProps, 'progress'>): JSX.Element {
  if (!step) return <ValueTree label="Payload" value={run.trace.payload} expand={panel.expand} copy={panel.copy} />;
  if (step.kind === 'if') return <WhyView panel={panel} run={run} step={step} />;
  if (step.kind === 'loop') {
    const node = panel.nodesOf(run).find(({ path }) => path === step.path);
    // The action’s pipeline may have changed since a past run.
    if (node?.kind === step.kind) return <Definition panel={panel} node={node} />;
    return (
      <EmptyState title="No loop to show">
        <p>The page’s pipeline no longer has this step.</p>
      </EmptyState>
    );
  }
  if (step.settings.t === 'undefined' || (step.settings.t === 'object' && step.settings.size === 0))
    return <NoSettings nested={step.children.length} />;
  return (
    <div class="lines">
      <ResolvedSettings panel={panel} run={run} step={step} />
      <div class="fill">
        <ValueTree label="Settings" value={step.settings} expand={panel.expand} copy={panel.copy} />
      </div>
    </div>
  );
}
