/** Below a condition: what it is at the visits of a recorded run, as it's written now. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { ConditionTrial, type TrialState } from '../../../../lib/extension/panel/actions/edit/condition-trial.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatTime } from '../../../../lib/shared/format.ts';
import { Select } from '../../../ui/field.tsx';
import { Alert, Button, EmptyState } from '../../../ui/index.ts';
import { Explained } from '../../run/why/why-block.tsx';
import '../../run/why/why.css';
import { Loading } from '../../shared/loading.tsx';
import './condition-trial.css';

export interface ConditionTrialProps {
  panel: Panel;
  editor: ActionEditor;
  /** Of the block in the draft. */
  path: string;
}

/** One per editor, so that the chosen run stays chosen. */
const trials = new WeakMap<ActionEditor, ConditionTrial>();

function trialOf(panel: Panel, editor: ActionEditor): ConditionTrial {
  const known = trials.get(editor);
  if (known) return known;
  const { services, recordingsOf } = panel;
  const subject = (): string | null => {
    const id = editor.base.peek()?.id;
    return id === undefined ? null : panel.subjectOfAction(id);
  };
  const trial = new ConditionTrial({ store: services.store, recordingOf: (run) => recordingsOf.of(run), subject });
  trials.set(editor, trial);
  return trial;
}

export function ConditionTrialView({ panel, editor, path }: ConditionTrialProps): JSX.Element {
  const trial = trialOf(panel, editor);
  const functions = (editor.draft.value?.value as { functions?: unknown } | null | undefined)?.functions;
  useEffect(() => trial.show({ functions, path: path.slice('/functions'.length) }), [trial, functions, path]);
  const stored = panel.runs.storedVersion.value;
  useEffect(() => void trial.refresh(), [trial, stored]);
  const state = trial.state.value;
  return (
    <section class="condition-trial" aria-label="Condition in a recorded run" data-trial={state}>
      {trial.run.value ? <Chooser trial={trial} /> : null}
      <Outcome panel={panel} trial={trial} state={state} />
    </section>
  );
}

function Chooser({ trial }: { trial: ConditionTrial }): JSX.Element {
  const visits = trial.trial.value?.visits.length ?? 0;
  const at = trial.visit.value;
  return (
    <div class="trial-choice">
      <Select
        name="trial-run"
        label="Recorded run"
        value={trial.run.value?.id ?? ''}
        options={trial.runs.value.map(({ id, number, state, startedAt }) => ({
          value: id,
          label: `Run ${number} · ${state} · ${formatTime(startedAt, { seconds: true })}`,
        }))}
        onChange={(id) => trial.chooseRun(id)}
      />
      {visits > 0 ? (
        <div class="trial-visit" role="group" aria-label="Visit">
          <Button
            kind="quiet"
            label="Previous visit"
            unavailable={at > 0 ? null : 'This is the first visit'}
            onClick={() => trial.chooseVisit(at - 1)}
          >
            ←
          </Button>
          <span data-visit={at}>
            Visit {at + 1} of {visits}
            {iterationText(trial.iterations.value[at])}
          </span>
          <Button
            kind="quiet"
            label="Next visit"
            unavailable={at < visits - 1 ? null : 'This is the last visit'}
            onClick={() => trial.chooseVisit(at + 1)}
          >
            →
          </Button>
          {(['true', 'false'] as const).map((outcome) => (
            <Button
              key={outcome}
              kind="quiet"
              title={`Show the next visit in which the condition is ${outcome}`}
              unavailable={
                nextVisit(trial, outcome) === null ? `The condition isn’t ${outcome} in another visit` : null
              }
              onClick={() => trial.chooseVisit(nextVisit(trial, outcome) ?? at)}
            >
              Next {outcome}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}

const iterationText = (iteration: readonly number[] = []): string =>
  iteration.length > 0 ? ` (#${iteration.map((index) => index + 1).join('.')})` : '';

/** After the chosen one, or else from the start. */
function nextVisit({ trial, visit }: ConditionTrial, outcome: 'true' | 'false'): number | null {
  const outcomes = trial.value?.outcomes ?? [];
  const at = visit.value;
  const next = outcomes.indexOf(outcome, at + 1);
  const found = next < 0 ? outcomes.indexOf(outcome) : next;
  return found < 0 || found === at ? null : found;
}

const EMPTY: Partial<Record<TrialState, { title: string; text: string }>> = {
  none: {
    title: 'No run with a recording',
    text: 'Run this action in tab Run. The run then shows what this condition is for each item, as you type.',
  },
  unreadable: { title: 'This run can’t be read', text: 'Choose another run, or run the action again.' },
  other: { title: 'This run didn’t have this step', text: 'Choose another run, or save the action and run it again.' },
  unvisited: { title: 'This run’s recording doesn’t come to this step', text: 'Choose a run that did.' },
};

interface OutcomeProps {
  panel: Panel;
  trial: ConditionTrial;
  state: TrialState;
}

function Outcome({ panel, trial, state }: OutcomeProps): JSX.Element {
  const empty = EMPTY[state];
  const error = trial.error.value;
  const why = trial.trial.value?.why;
  if (error) return <Alert error={error} actions={<Button onClick={() => void trial.refresh()}>Try again</Button>} />;
  if (empty)
    return (
      <EmptyState title={empty.title}>
        <p>{empty.text}</p>
      </EmptyState>
    );
  if (!why) return <Loading>Loading the run…</Loading>;
  return (
    <>
      <p role="status" data-trial-summary="">
        {trial.summary.value}
      </p>
      <Explained panel={panel} why={why} />
    </>
  );
}
