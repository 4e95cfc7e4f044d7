/** Searches and filters the timeline, and goes from failure to failure. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { SLOW_STEPS, type StepChoice } from '../../../../lib/extension/panel/run/timeline/filter.ts';
import type { TimelineRow } from '../../../../lib/extension/panel/run/timeline/rows.ts';
import type { StepTexts } from '../../../../lib/extension/panel/run/timeline/step-texts.ts';
import type { Trace } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatCount, plural } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';

export interface TimelineBarProps {
  panel: Panel;
  trace: Trace;
  rows: readonly TimelineRow[];
  texts: StepTexts;
}

/** Maximum number of places in the pipeline that the list offers. */
const MAX_PLACES = 200;

export function TimelineBar({ panel, trace, rows, texts }: TimelineBarProps): JSX.Element {
  const { selection, runs } = panel;
  // The trace grows in place, so components must read `version` to re-render.
  void runs.version.value;
  const { query, choice, hidesUnmatched } = selection.filter.value;
  const isFiltered = query.trim() !== '' || choice.kind !== 'all' || hidesUnmatched;
  const hasConditions = trace.order.some(({ kind, iteration }) => kind === 'if' && iteration.length > 0);
  const shown = isFiltered ? rows.filter(({ kind }) => kind === 'step').length : 0;
  return (
    <div class="timeline-bar filters" role="group" aria-label="Timeline filters">
      <input
        class="input"
        type="search"
        aria-label="Search steps"
        placeholder="Search steps"
        value={query}
        onInput={(event) => selection.setFilter({ query: event.currentTarget.value })}
      />
      <PlaceSelect panel={panel} trace={trace} texts={texts} choice={choice} />
      {hasConditions || hidesUnmatched ? (
        <Button
          kind="quiet"
          pressed={hidesUnmatched}
          label="Matched only"
          title="Hide iterations in which no condition was true"
          onClick={() => selection.setFilter({ hidesUnmatched: !hidesUnmatched })}
        >
          Matched<span class="long"> only</span>
        </Button>
      ) : null}
      <span class="muted shown-steps" role="status">
        {isFiltered ? `${formatCount(shown)} of ${plural(trace.order.length, 'step')}` : ''}
      </span>
      <span class="grow" />
      {trace.failedStep === null ? null : (
        <Button
          kind="quiet"
          label="Next failure"
          title="Select the next failed step (N)"
          onClick={() => selection.selectFailure(1)}
        >
          <span class="long">Next failure </span>
          <span aria-hidden="true">!↓</span>
        </Button>
      )}
    </div>
  );
}

function PlaceSelect({
  panel: { selection, runs },
  trace,
  texts,
  choice,
}: Omit<TimelineBarProps, 'rows'> & { choice: StepChoice }): JSX.Element {
  void runs.version.value;
  const count = trace.paths.size;
  const places = useMemo(() => placesOf(trace, texts), [trace, texts, count]);
  return (
    <select
      class="input"
      name="steps-shown"
      aria-label="Steps shown"
      value={choice.kind === 'path' ? `path:${choice.path}` : choice.kind}
      onChange={(event) => {
        const { value } = event.currentTarget;
        selection.setFilter({
          choice: value.startsWith('path:')
            ? { kind: 'path', path: value.slice(5) }
            : { kind: value === 'failed' || value === 'slow' ? value : 'all' },
        });
      }}
    >
      <option value="all">All steps</option>
      <option value="failed">Failed</option>
      <option value="slow">Slowest {SLOW_STEPS}</option>
      <optgroup label="One step">
        {places.map(({ path, label }) => (
          <option key={path} value={`path:${path}`}>
            {label}
          </option>
        ))}
      </optgroup>
    </select>
  );
}

/** The first step at each place of the pipeline. */
function placesOf(trace: Trace, texts: StepTexts): { path: string; label: string }[] {
  const labels = new Map<string, string>();
  for (const step of trace.order) {
    if (labels.size >= Math.min(MAX_PLACES, trace.paths.size)) break;
    if (step.path !== null && !labels.has(step.path)) labels.set(step.path, texts.of(step).label);
  }
  return [...labels].map(([path, label]) => ({ path, label: `${label} ${path}` }));
}
