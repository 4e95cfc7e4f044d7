/** Says what a replay showed: that it did the same as the recorded run, or where and how it first differed. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import { DIVERGENCE_TEXTS } from '../../../../debugging/replay/divergence-texts.ts';
import type { Divergence, ReplayEnd } from '../../../../debugging/replay/replay.ts';
import { previewValue } from '../../../../debugging/why/preview.ts';
import { plural } from '../../../../shared/format.ts';
import { MASK } from '../../../../shared/secrets/known-secrets.ts';
import { shortName } from '../../shared/short-name.ts';
import { iterationText } from '../timeline/rows.ts';

/** A step in one iteration. */
export interface Place {
  path: string;
  iteration: readonly number[];
}

export interface ReplayReport {
  /** `same`, `different`, or `unknown`: the replay couldn’t continue. */
  outcome: 'same' | 'different' | 'unknown';
  text: string;
  /** Both values, if it differed. */
  values?: { recorded: string; replayed: string };
  /** The step that the text is about; null for the whole run. */
  place: Place | null;
}

export function describeReplay(recording: Recording, end: ReplayEnd): ReplayReport {
  const same = `Replayed with the recorded outcomes: same ${plural(recording.steps.length, 'step')}`;
  switch (end.state) {
    case 'completed':
      return { outcome: 'same', text: `${same}, same result${resultNote(recording)}.`, place: null };
    case 'failed':
      return { outcome: 'same', text: `${same}, same error.`, place: null };
    case 'stopped':
      return { outcome: 'same', text: `${same}. ${recordedEndText(recording)}`, place: null };
    case 'unknown':
      return {
        outcome: 'unknown',
        text: `Couldn’t replay further than ${placeName(recording, end)}. ${end.cause.message}`,
        place: end.path === '' ? null : end,
      };
    case 'diverged':
      return diverged(recording, end.divergence);
  }
}

/** What of the result couldn’t be compared. */
function resultNote({ end }: Recording): string {
  const text = end.state === 'completed' ? JSON.stringify(end.result) : '';
  const isPart = ['"$":"lost"', '"$":"rest"', MASK].some((mark) => text.includes(mark));
  return isPart ? ', as far as it’s recorded' : '';
}

/** Why a replay ended before an outcome. */
export const recordedEndText = ({ end }: Recording): string =>
  end.state === 'interrupted' ? 'How the recorded run ended is unknown.' : 'The recorded run was stopped here.';

/** Maximum characters of a value. */
const LENGTH = 200;

function diverged(recording: Recording, divergence: Divergence): ReplayReport {
  const { what, recorded, replayed } = divergence;
  return {
    outcome: 'different',
    text: `The replay first differs at ${placeName(recording, divergence)}: ${DIVERGENCE_TEXTS[what]}.`,
    values: {
      recorded: valueText(what, recorded),
      replayed: what === 'context' ? 'no such place' : valueText(what, replayed),
    },
    place: divergence.path === '' ? null : divergence,
  };
}

/** Texts about places and states aren’t the run’s own values, so they aren’t quoted. */
function valueText(what: Divergence['what'], value: unknown): string {
  if (what === 'result') return previewValue(value, LENGTH);
  if (value === null) return what === 'branch' ? 'no branch' : 'no step';
  if (what === 'branch') return value === 'else' ? 'else' : `branch ${Number(value) + 1}`;
  return typeof value === 'string' ? value : previewValue(value, LENGTH);
}

/** A step as texts name it, such as `send-email (/1/functions/0, iteration 3)`. */
export function placeName({ steps }: Recording, { path, iteration }: Place): string {
  if (path === '') return 'the start';
  const step = steps.find((one) => one.path === path);
  const name = step?.name === undefined ? (step?.kind ?? 'step') : shortName(step.name);
  const where = iteration.length > 0 ? `${path}, ${iterationText(iteration)}` : path;
  return `${name} (${where})`;
}
