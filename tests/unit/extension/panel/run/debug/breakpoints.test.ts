/** What breakpoints say of themselves, how their hit counts are entered, and what earlier versions stored. */
import { describe, expect, it } from 'vitest';
import { describeBreakpoint, hitsText } from '../../../../../../lib/extension/panel/run/debug/breakpoints.ts';
import {
  parseDebugData,
  settingsOf,
  writeDebugData,
} from '../../../../../../lib/extension/panel/run/debug/debug-data.ts';
import { openDebugger, SEND } from './open-debugger.ts';

describe('a hit count', () => {
  it('is entered as = 3, >= 3, or % 3, and is shown as it was entered', async () => {
    const { debug, node } = await openDebugger();
    const entered = (hits: string): unknown => {
      debug.breakpoints.edit(node(SEND));
      debug.breakpoints.change({ hits });
      const problem = debug.breakpoints.problem.value?.field;
      if (problem) return problem;
      debug.breakpoints.save(node(SEND));
      const saved = debug.breakpoints.byPath.value.get(SEND)!;
      debug.breakpoints.edit(node(SEND));
      return [saved.hits, saved.hitRule, debug.breakpoints.draft.value!.hits];
    };
    expect(['= 3', '==3', '3', ' >=3', '% 10'].map(entered)).toEqual([
      [3, 'at', '= 3'],
      [3, 'at', '= 3'],
      [3, 'at', '= 3'],
      [3, 'from', '>= 3'],
      [10, 'every', '% 10'],
    ]);
    expect(['0', '% 0', '> 3', '<= 3', '1.5', 'x', '3 4'].map(entered)).toEqual(Array(7).fill('hits'));
  });

  it('that an earlier version stored keeps its meaning', () => {
    const stored = JSON.stringify({
      version: 1,
      breakpoints: [{ path: '/0', label: 'send', step: '', hits: 100 }],
      gone: [],
      pauseOnFailure: false,
      watches: [],
      pipeline: '',
    });
    const data = parseDebugData(stored);
    expect(data.breakpoints.map(hitsText)).toEqual(['>= 100']);
    expect(parseDebugData(writeDebugData(data))).toEqual(data);
    expect(settingsOf(data).breakpoints).toMatchObject([{ hits: 100 }]);
  });

  it('is part of what the breakpoint says', () => {
    const breakpoint = { path: '/0', condition: 'id == 12', hits: 3, hitRule: 'every', isOff: true } as const;
    expect(describeBreakpoint(breakpoint)).toBe('Breakpoint, condition id == 12, hit count % 3, off');
    expect(describeBreakpoint({ path: '/0', log: 'x' })).toBe('Logpoint “x”');
  });
});
