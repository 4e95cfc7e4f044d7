/** Computes everything that the panel’s views need of a run and of a page’s logins; none of it may throw. */
import type { AgentEvent } from '../../lib/extension/inspector/contract.ts';
import { formatDuration, formatSize, formatTime, plural, truncate } from '../../lib/shared/format.ts';
import {
  isComposite,
  pointerAsPath,
  previewOf,
  type RemoteValue,
} from '../../lib/extension/panel/shared/remote-value.ts';
import { runErrorValue } from '../../lib/extension/panel/run/failure/run-error.ts';
import { contextDifferences, contextsOf, withNested } from '../../lib/extension/panel/run/context-changes.ts';
import {
  barOf,
  createTimelineRows,
  isExpanded,
  iterationText,
  markOf,
  rulerTicks,
  timesOf,
  type TimelineRow,
} from '../../lib/extension/panel/run/timeline/rows.ts';
import { nextFailure } from '../../lib/extension/panel/run/timeline/filter.ts';
import { StepTexts } from '../../lib/extension/panel/run/timeline/step-texts.ts';
import { addEvents, endTrace } from '../../lib/extension/panel/run/build-trace.ts';
import { createTrace, type LoopSource, type Trace, type TraceStep } from '../../lib/extension/panel/run/trace.ts';
import { toJson } from '../../lib/extension/panel/shared/value-json.ts';
import { findInValue, valueRows } from '../../lib/extension/panel/shared/value-rows.ts';
import { Finding } from './check.ts';

/** Shows a run of these events as the panel does. */
export function viewRun(
  runId: string,
  events: readonly AgentEvent[],
  loopAt?: (path: string) => LoopSource | null,
): void {
  const trace = addEvents(createTrace(runId, 0), events, loopAt);
  texts(formatDuration(trace.milliseconds), plural(trace.steps.size, 'step'), formatTime(trace.startedAt));
  if (trace.resultBytes !== null) texts(formatSize(trace.resultBytes));
  const collapsed = new Set(trace.order.slice(1, 2).map(({ id }) => String(id)));
  const steps = new StepTexts(trace, []);
  for (const kind of ['all', 'failed', 'slow'] as const) {
    const textOf = (step: TraceStep): string => steps.searchText(step);
    const filter = { choice: { kind }, query: 'a', hidesUnmatched: true, textOf };
    for (const rows of [createTimelineRows(trace, { collapsed }), createTimelineRows(trace, { collapsed, filter })])
      for (const row of rows().slice(0, 50)) viewRow(row, trace, steps, collapsed);
  }
  nextFailure(trace, null, 1);
  for (const { at } of rulerTicks(trace.milliseconds))
    if (!(at >= 0 && at <= 1)) throw new Finding(`A mark of the ruler at ${at}.`);
  for (const step of [null, ...trace.order.slice(0, 5)]) {
    for (const { path } of contextDifferences(trace, step)) texts(pointerAsPath(path));
    const { before, after } = contextsOf(trace, step);
    for (const value of [before, after]) viewValue(value);
    withNested(trace, step);
  }
  for (const { args, at } of trace.console) {
    texts(formatDuration(at));
    for (const value of args.slice(0, 5)) viewValue(value);
  }
  for (const { at, end, bytes, url, method } of trace.requests.values())
    texts(formatDuration((end ?? at) - at), bytes === null ? '' : formatSize(bytes), truncate(url, 300), method);
  for (const value of [trace.payload, trace.result]) if (value) viewValue(value);
  if (trace.error) viewError(trace.error);
  endTrace(trace, 'interrupted');
}

function viewError(error: Parameters<typeof runErrorValue>[0]): void {
  const { message, hint } = runErrorValue(error);
  texts(message, hint, ...error.trace, iterationText(error.iteration));
  if (error.thrown) viewValue(error.thrown);
}

function viewRow(row: TimelineRow, trace: Trace, steps: StepTexts, collapsed: ReadonlySet<string>): void {
  const { step } = row;
  const { label, summary, decision } = steps.of(step);
  texts(label, summary, decision, steps.itemOf(step));
  const total = trace.milliseconds;
  const times = timesOf(trace, row);
  texts(markOf(row) ?? '', iterationText(step.iteration), formatDuration((times.end ?? total) - times.start));
  isExpanded(row, collapsed);
  const { start, width } = barOf(times, total);
  if (!(start >= 0 && start <= 1 && width >= 0 && start + width <= 1.000001))
    throw new Finding(`A bar from ${start} of width ${width}.`);
  viewValue(step.settings);
  if (step.value) viewValue(step.value);
  if (step.error) viewError(step.error);
}

export function viewValue(value: RemoteValue): void {
  texts(previewOf(value), toJson(value));
  const rows = valueRows(value, new Set(['', '/a']), new Map());
  for (const row of rows.slice(0, 20))
    texts(row.key, row.name ?? '', isComposite(row.value) ? '' : previewOf(row.value));
  findInValue(value, 'a', new Map());
}

/** Asserts that everything shown is a string, since the page could exploit other types. */
export function texts(...all: unknown[]): void {
  for (const text of all) if (typeof text !== 'string') throw new Finding(`Not a text: ${typeof text}`);
}
