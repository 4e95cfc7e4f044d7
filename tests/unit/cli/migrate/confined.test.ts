/** Code under proof is confined: it reaches nothing of the machine, and can’t run forever. */
import { expect, test } from 'vitest';
import { proveConfined } from '../../../../lib/cli/migrate/proving/confined.ts';
import type { ProofJob } from '../../../../lib/cli/migrate/proving/job.ts';
import { record } from '../../../../lib/debugging/index.ts';
import { migrate } from '../../../../lib/migrate/index.ts';
import { isExhaustive } from '../../../support/exhaustive.ts';
import { own, say } from '../../migrate/steps.ts';
import { ownPackages } from '../../migrate/run-both.ts';

const PIPELINE = [own('set-context', { assign: { b: 'a + 1' } }), say('{{b}}')];

async function job(edit: (code: string) => string): Promise<ProofJob> {
  const migrated = migrate({ name: 'a', functions: PIPELINE });
  if (!migrated.ok) throw new Error(migrated.error.message);
  const { recording } = await record(PIPELINE, { payload: { a: 1 }, functions: ownPackages(() => undefined) });
  const { code, report } = migrated.value;
  return { code: edit(code), steps: report.steps, pipeline: PIPELINE, recordings: [recording], dataSources: [] };
}

/** The code, with another first statement. */
const starting =
  (statement: string) =>
  (code: string): string =>
    code.replace('const data', `${statement}\n  const data`);

// Other tests prove code that was changed only at its start.
if (isExhaustive())
  test('code that wasn’t changed is proved', async () => {
    const proved = await proveConfined(await job((code) => code));
    expect(proved).toMatchObject({ ok: true, value: { proof: { status: 'proved' } } });
  });

test('a loop that never ends is an error', async () => {
  expect(await proveConfined(await job(starting('for (;;);')), 2_000)).toMatchObject({
    ok: false,
    error: { code: 'CODE_ENDLESS', message: 'Couldn’t prove the code: it didn’t end within 2 seconds.' },
  });
});

const AT_START = ['at its start', starting('await new Promise(() => {});'), ''] as const;

test.each([
  ['at a step', (code: string) => code.replace('// /1', '// /1\n  await new Promise(() => {});'), '/1'] as const,
  ...(isExhaustive() ? [AT_START] : []),
])('code that waits for nothing %s differs, and so do its wrong versions', async (_, edit, path) => {
  const proved = await proveConfined(await job(edit));
  const { proof, strength } = proved.ok ? proved.value : expect.fail(proved.error.message);
  const v3 = 'The code was still waiting when nothing else was left to do.';
  expect(proof.comparisons.flatMap(({ differences }) => differences)).toMatchObject([{ what: 'failure', path, v3 }]);
  expect(proof.status).toBe('differs');
  // Without the statement that waits, it’s right.
  expect(strength.missed.filter(({ mistake }) => mistake !== 'a statement is missing')).toEqual([]);
});

test('code can wait for what does happen', async () => {
  const waits = starting('await crypto.subtle.digest("SHA-256", new Uint8Array(9));');
  expect(await proveConfined(await job(waits))).toMatchObject({ ok: true, value: { proof: { status: 'proved' } } });
});

test('values of differences that JSON doesn’t have are marked', async () => {
  const proved = await proveConfined(await job((code) => code.replace('data.a + 1', 'undefined')));
  const [difference] = proved.ok ? proved.value.proof.comparisons.flatMap(({ differences }) => differences) : [];
  expect(difference).toMatchObject({ what: 'context', v2: 2, v3: { $: 'undefined' } });
});

const ESCAPES = [
  'process.getBuiltinModule("fs").readFileSync("/etc/hostname")',
  'require("node:fs").readFileSync("/etc/hostname")',
  'await import("node:fs")',
  'this.constructor.constructor("return process")()',
  'fetch.constructor("return process")()',
  '(0, eval)("process")',
  'new WebSocket("ws://127.0.0.1")',
];
/** Code that fails with the expressions that work in it. */
const trying = (expressions: readonly string[]): string => {
  const tried = expressions.map((each) => `try { ${each}; reached.push(${JSON.stringify(each)}); } catch {}`);
  return `const reached = []; ${tried.join(' ')} if (reached.length) throw new Error(reached.join());`;
};

test('everything that would reach the machine fails in the code', async () => {
  const proved = await proveConfined(await job(starting(trying(ESCAPES))));
  const { proof } = proved.ok ? proved.value : expect.fail(proved.error.message);
  expect(proof.comparisons.flatMap(({ differences }) => differences)).toEqual([]);
  expect(proof.status).toBe('proved');
});

test('what does work in the code would be noticed', async () => {
  const proved = await proveConfined(await job(starting(trying(['parseInt("1")']))));
  expect(proved).toMatchObject({ ok: true, value: { proof: { status: 'differs' } } });
});
