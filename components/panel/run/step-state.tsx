/** Owns how the state of a step or a run looks: a sign, a colour, and a word for those who see neither. */
import type { JSX } from 'preact';

const SIGNS: Record<string, string> = {
  idle: '',
  running: '◌',
  completed: '✓',
  skipped: '↷',
  failed: '✗',
  stopped: '■',
  interrupted: '⚡',
};

export function StateSign({ state }: { state: string }): JSX.Element {
  return (
    <span class={`state state-${state}`} role="img" aria-label={state}>
      {SIGNS[state] ?? ''}
    </span>
  );
}
