/** Shows a step's or run's state as a colored symbol with an accessible name. */
import type { JSX } from 'preact';

const SYMBOLS: Record<string, string> = {
  idle: '',
  running: '◌',
  paused: '‖',
  completed: '✓',
  skipped: '↷',
  // ✗ is a condition that was false.
  failed: '!',
  stopped: '■',
  interrupted: '⚡',
  unstored: '?',
  unknown: '?',
};

export interface StateIconProps {
  state: string;
  /** Whether the debugger has paused the run that is in progress. */
  isPaused?: boolean | undefined;
}

export function StateIcon({ state: given, isPaused = false }: StateIconProps): JSX.Element {
  const state = isPaused && given === 'running' ? 'paused' : given;
  return (
    <span class={`state state-${state}`} role="img" aria-label={state === 'unstored' ? 'unknown' : state}>
      {SYMBOLS[state] ?? ''}
    </span>
  );
}
