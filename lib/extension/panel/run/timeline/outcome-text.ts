/** Says in a few words what a function did: what it changed in the context, or else what it returned. */
import { differencesOf } from '../context-changes.ts';
import { pointerAsPath, previewOf } from '../../shared/remote-value.ts';
import type { TraceStep } from '../trace.ts';

const PATH_LENGTH = 60;
const VALUE_LENGTH = 40;
/** Maximum number of changes that are counted. */
const MAX_CHANGES = 1_000;

/** For example, `score → 84`, `records[0].sent → true, 39 more`, or `→ "sent"`; empty if there's nothing to say. */
export function outcomeText({ kind, state, changes, value }: TraceStep): string {
  if (kind !== 'function' || state !== 'completed') return '';
  const [first, ...others] = differencesOf(changes.slice(0, MAX_CHANGES));
  if (!first) return value && value.t !== 'undefined' ? `→ ${previewOf(value, VALUE_LENGTH)}` : '';
  const path = pointerAsPath(first.path).slice(0, PATH_LENGTH) || 'context';
  const change = first.after ? `${path} → ${previewOf(first.after, VALUE_LENGTH)}` : `${path} removed`;
  return others.length === 0 ? change : `${change}, ${others.length} more`;
}
