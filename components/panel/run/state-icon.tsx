/** Shows a step's or run's state as a colored symbol with an accessible name. */
import type { JSX } from 'preact';

const SYMBOLS: Record<string, string> = {
  idle: '',
  running: '◌',
  completed: '✓',
  skipped: '↷',
  failed: '✗',
  stopped: '■',
  interrupted: '⚡',
  unstored: '?',
};

export function StateIcon({ state }: { state: string }): JSX.Element {
  return (
    <span class={`state state-${state}`} role="img" aria-label={state === 'unstored' ? 'not stored' : state}>
      {SYMBOLS[state] ?? ''}
    </span>
  );
}
