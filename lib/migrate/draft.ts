/** Writes out the properties of the V3 action. Its defaults are the opposite of V2’s. */
import { missingDependencies } from '../platform-api/actions-v3/index.ts';
import type { V2Action, V3Draft } from './types.ts';

export function draftOf(action: V2Action, code: string): V3Draft {
  return {
    name: action.name,
    description: null,
    active: false,
    environment: action.environment ?? 'any',
    triggers: action.triggers ?? [{ trigger: 'manual' }],
    dependencies: dependenciesOf(code),
    frequency: action.frequency ?? null,
    timezone: action.timezone ?? (action.frequency ? 'UTC' : null),
    actionVersion: 'v3',
  };
}

/** The packages that the code uses, sorted. Edited code can use others. */
export const dependenciesOf = (code: string): string[] => missingDependencies(code, []).sort();

/** What to know about the action as a whole. */
export function notesOn(action: V2Action, code: string): string[] {
  const notes: string[] = [];
  const triggers = (action.triggers ?? []).map(({ trigger }) => trigger);
  if (triggers.includes('schedule') && /\bdata\.trigger\b/.test(code))
    notes.push('Scheduled runs have no payload in V3: data.trigger is undefined there, and was “schedule” in V2.');
  if (triggers.includes('analytics'))
    notes.push('For analytics triggers, the payload is the event itself in V3. Check the names that the code reads.');
  if (/^\s*(?:\*|\*\/1)(?:\s+(?:\*|\*\/1)){4}\s*$/.test(action.frequency ?? ''))
    notes.push('V3 refuses a schedule of every minute (FREQUENCY_TOO_FREQUENT). Choose a longer interval.');
  if (!/^[\w-]{1,255}$/.test(action.name))
    notes.push('V3 refuses this name. Use letters, digits, dashes, and underscores.');
  return notes;
}
