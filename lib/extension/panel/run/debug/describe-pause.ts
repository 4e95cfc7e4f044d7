/** Says where a run is paused, and why. */
import { truncate } from '../../../../shared/format.ts';
import { runErrorValue } from '../failure/run-error.ts';
import { iterationText } from '../timeline/rows.ts';
import { hitsText } from './breakpoints.ts';
import type { StepBreakpoint } from './debug-data.ts';
import { attemptText, editedText } from './edits.ts';
import type { PausedStep } from '../trace.ts';
import type { StepPause } from './pause-control.ts';

export const CANNOT_RETRY = 'Choose “Our engine” beside Run: this page’s runtime can’t retry a step';

export interface PauseText {
  /** Such as `Paused at send-email, iteration 12`. */
  title: string;
  /** In a few words, such as `breakpoint`. */
  reason: string;
  /** More about the reason: a condition, or an error. Empty if there is none. */
  detail: string;
  /** What the user has edited at this step; empty if nothing. */
  edited: string;
  tone: 'plain' | 'warning' | 'danger';
}

/** @param breakpoint of the paused step, if it has one */
export function describePause(pause: StepPause, label: string, breakpoint: StepBreakpoint | undefined): PauseText {
  const { traceStep } = pause;
  const { iteration } = traceStep;
  const where = iteration.length > 0 ? `, ${iterationText(iteration)}` : '';
  const title = `Paused at ${truncate(label, 80)}${where}`;
  return { title, edited: editedText(traceStep), ...reasonOf(pause, breakpoint) };
}

/** What an edit of the whole context is for. */
export function editorText({ reason, canRetry }: Pick<PausedStep, 'reason' | 'canRetry'>): string {
  if (reason !== 'failure') return 'The whole context. Apply replaces it before the step runs.';
  return canRetry
    ? 'The step has failed. Apply replaces the whole context, and Retry step runs the step again.'
    : 'The step has failed. Apply replaces the whole context for the steps after it.';
}

function reasonOf(
  { reason, error, traceStep }: StepPause,
  breakpoint: StepBreakpoint | undefined,
): Pick<PauseText, 'reason' | 'detail' | 'tone'> {
  const detail = error ? runErrorValue(error).message : '';
  switch (reason) {
    case 'failure':
      return { reason: failureText(traceStep), detail, tone: 'danger' };
    case 'breakpoint':
      if (error) return { reason: 'breakpoint’s condition failed', detail, tone: 'danger' };
      return { reason: 'breakpoint', detail: conditionText(breakpoint), tone: 'warning' };
    case 'step':
      return { reason: 'step', detail: '', tone: 'warning' };
    case 'request':
      return { reason: 'on request', detail: '', tone: 'warning' };
    case 'page-left':
      return { reason: 'page left', detail: 'The page was left during the run, and is back.', tone: 'warning' };
    case 'run-to':
      return { reason: 'run to here', detail: '', tone: 'warning' };
  }
}

/** Short, so that it fits beside the commands. */
function failureText(step: StepPause['traceStep']): string {
  const attempt = attemptText(step);
  return attempt ? `${attempt} failed` : 'failure';
}

function conditionText(breakpoint: StepBreakpoint | undefined): string {
  const hits = hitsText(breakpoint ?? {});
  return [breakpoint?.condition, hits && `hit count ${hits}`].filter(Boolean).join(', ');
}
