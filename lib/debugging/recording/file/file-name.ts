/** Names the files of recordings. */
import type { Recording } from '../format.ts';

export const RECORDING_EXTENSION = '.run.json';
const MAX_WORDS = 60;

/** A name such as `notify-admins-2026-11-24T13-20-05.run.json`. The time is UTC. */
export const fileNameOf = (recording: Recording): string => `${baseNameOf(recording)}${RECORDING_EXTENSION}`;

/** The name without its extension. */
export function baseNameOf({ action, startedAt }: Recording): string {
  const words = (action?.name ?? '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MAX_WORDS)
    .replaceAll(/^-|-$/g, '');
  const id = action?.actionId === undefined ? 'run' : `action-${action.actionId}`;
  return `${words || id}-${startedAt.slice(0, 19).replaceAll(':', '-')}`;
}
