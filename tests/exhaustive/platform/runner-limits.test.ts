/** The time limit of a run kills what keeps a processor busy, in more ways than one. */
import { afterAll, it } from 'vitest';
import { expectTimeout, testRunner } from '../../platform/support/runner.ts';

const quick = testRunner({ time: 1_000, recording: 'failed' });
afterAll(() => quick.close());

it.each([
  ['an endless loop', 'while (true);'],
  ['an endless loop of promises', 'for (;;) await null;'],
  ['a backtracking regular expression', 'return /^(a+)+$/.test("a".repeat(60) + "b");'],
])('the time limit kills a run in %s, which then has no recording', (_, code) => expectTimeout(quick, code));
