/** Says what the user has edited in a step’s context, as changes: `qty: 99 → 5, edited by you`. */
import { plural } from '../../../../shared/format.ts';
import type { Change } from '../../../inspector/contract.ts';
import { pointerAsPath, previewOf } from '../../shared/remote-value.ts';
import { differencesOf } from '../context-changes.ts';
import type { TraceStep } from '../trace.ts';

/** Changes and characters on one line. */
const SHOWN = 2;
const VALUE_LENGTH = 30;

type Edited = Pick<TraceStep, 'edits' | 'attempts'>;

/** Before the step and between its attempts, in order. */
export const editsOf = ({ edits, attempts }: Edited): Change[] =>
  attempts.length === 0 ? edits : [...edits, ...attempts.flatMap((attempt) => attempt.edits)];

/** Empty if nothing was edited. */
export function editedText(step: Edited): string {
  const differences = differencesOf(editsOf(step));
  if (differences.length === 0) return '';
  const changes = differences.slice(0, SHOWN).map(({ path, before, after }) => {
    const name = pointerAsPath(path) || 'context';
    if (!after) return `${name} removed`;
    const value = previewOf(after, VALUE_LENGTH);
    return before ? `${name}: ${previewOf(before, VALUE_LENGTH)} → ${value}` : `${name}: ${value} added`;
  });
  const more = differences.length > SHOWN ? [plural(differences.length - SHOWN, 'more change')] : [];
  return `${[...changes, ...more].join(', ')}, edited by you`;
}

/** How often the step was retried, such as `attempt 2`; empty if it wasn’t. */
export function attemptText({ attempts }: Pick<TraceStep, 'attempts'>): string {
  const retried = attempts.filter(({ error }) => error !== null).length;
  return retried === 0 ? '' : `attempt ${retried + 1}`;
}
