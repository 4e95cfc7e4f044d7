/** Reports console calls that occur during a run. */
import { callThrough, capture } from '../../agent/capture.ts';

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug';
const LEVELS: readonly ConsoleLevel[] = ['log', 'info', 'warn', 'error', 'debug'];
const pageConsole = globalThis.console;

/** @returns a function that stops reporting */
export function captureConsole(report: (level: ConsoleLevel, args: unknown[]) => void): () => void {
  const undo: (() => void)[] = [];
  for (let i = 0; i < LEVELS.length; i++) {
    const level = LEVELS[i]!;
    undo[i] = capture(pageConsole, level, (original, self, args) => {
      report(level, args);
      return callThrough(original, self, args);
    });
  }
  return () => {
    for (let i = 0; i < undo.length; i++) undo[i]!();
  };
}
