/** Owns the console lines of a run. */
import { callThrough, capture } from '../../agent/capture.ts';

export type Level = 'log' | 'info' | 'warn' | 'error' | 'debug';
const LEVELS: readonly Level[] = ['log', 'info', 'warn', 'error', 'debug'];
const pageConsole = globalThis.console;

/** @returns how to stop */
export function captureConsole(tell: (level: Level, args: unknown[]) => void): () => void {
  const undo: (() => void)[] = [];
  for (let i = 0; i < LEVELS.length; i++) {
    const level = LEVELS[i]!;
    undo[i] = capture(pageConsole, level, (original, self, args) => {
      tell(level, args);
      return callThrough(original, self, args);
    });
  }
  return () => {
    for (let i = 0; i < undo.length; i++) undo[i]!();
  };
}
