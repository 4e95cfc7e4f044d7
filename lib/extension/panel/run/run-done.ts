/** Says what is known about the latest run, for a view that can’t show it. */
import type { Runs } from './runs.ts';

export function runDone({ live, paused, shown }: Pick<Runs, 'live' | 'paused' | 'shown'>): string {
  if (paused.peek()) return 'A run is paused in the page.';
  if (live.peek()) return 'A run is in progress in the page.';
  const record = shown.peek()?.record;
  if (!record || record.state === 'running') return '';
  const isPassive = record.state === 'stopped' || record.state === 'interrupted';
  return `${record.number ? `Run ${record.number}` : 'The run'} ${isPassive ? 'was ' : ''}${record.state}.`;
}
