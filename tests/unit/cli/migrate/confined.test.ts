/** Code under proof is confined: it reaches nothing of the machine, and can’t run forever. */
import { builtinModules } from 'node:module';
import { describe, expect, test } from 'vitest';
import { proveConfined } from '../../../../lib/cli/migrate/proving/confined.ts';
import { isProofOf } from '../../../../lib/cli/migrate/proving/proved-schema.ts';
import type { ProofJob } from '../../../../lib/cli/migrate/proving/job.ts';
import { record, type Recording } from '../../../../lib/debugging/index.ts';
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

test('a proof that is aborted ends its process', async () => {
  const controller = new AbortController();
  const proving = proveConfined(await job(starting('for (;;);')), undefined, controller.signal);
  controller.abort();
  expect(await proving).toMatchObject({ ok: false, error: { code: 'PROOF_FAILED' } });
});

// It first needs all of a gigabyte.
if (isExhaustive())
  test('code that needs too much memory is an error', async () => {
    const grows = starting('const all = []; for (;;) all.push(new Array(1_000_000).fill(1));');
    expect(await proveConfined(await job(grows))).toMatchObject({
      ok: false,
      error: {
        code: 'CODE_TOO_LARGE',
        message: 'Couldn’t prove the code: it needs more than 1 GB of memory.',
      },
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
  const waits = starting('for (let turn = 0; turn < 1_000; turn++) await new Promise((done) => queueMicrotask(done));');
  expect(await proveConfined(await job(waits))).toMatchObject({ ok: true, value: { proof: { status: 'proved' } } });
});

test('values of differences that JSON doesn’t have are marked', async () => {
  const proved = await proveConfined(await job((code) => code.replace('data.a + 1', 'undefined')));
  const [difference] = proved.ok ? proved.value.proof.comparisons.flatMap(({ differences }) => differences) : [];
  expect(difference).toMatchObject({ what: 'context', v2: 2, v3: { $: 'undefined' } });
});

/** The context’s own global object, which code reaches because it’s sloppy. */
const GLOBAL = '(function () { return this; })()';

const ESCAPES = [
  'process.getBuiltinModule("fs").readFileSync("/etc/hostname")',
  'require("node:fs").readFileSync("/etc/hostname")',
  'net.connect("/run/docker.sock")',
  'await import("node:fs")',
  'await import("node:net")',
  'this.constructor.constructor("return process")()',
  'GLOBAL.constructor.constructor("return process")()',
  'await import("x").catch((error) => error.constructor.constructor("return process")())',
  'fetch.constructor("return process")()',
  '(0, eval)("process")',
  'new WebSocket("ws://127.0.0.1")',
  'GLOBAL.fetch("http://127.0.0.1")',
  'GLOBAL.setTimeout(() => {}, 1)',
  'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)',
  'new WebAssembly.Memory({ initial: 1 })',
  'new WeakRef({}).deref()',
  ...builtinModules
    .filter((name) => name !== 'console' && name !== 'crypto')
    .map((name) => `if (!(${JSON.stringify(name)} in GLOBAL)) throw 0`),
  ...['process', 'global', 'Buffer', 'host', 'world'].map((name) => `if (!("${name}" in GLOBAL)) throw 0`),
];
/** Code that fails with the expressions that work in it. */
const trying = (expressions: readonly string[]): string => {
  const tried = expressions.map(
    (each) => `try { ${each.replaceAll('GLOBAL', GLOBAL)}; reached.push(${JSON.stringify(each)}); } catch {}`,
  );
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

describe('code can’t make up its proof', () => {
  const PLACES = [
    'Array.prototype.push',
    'Array.prototype[Symbol.iterator]',
    'Object.prototype.toJSON',
    'Object.keys',
    'Promise.prototype.then',
    'Map.prototype.get',
    'Set.prototype.has',
    'Function.prototype.call',
    'RegExp.prototype.exec',
    'String.prototype.startsWith',
    'Error.prepareStackTrace',
    'Error.prototype.name',
    '(function* () {}).prototype.__proto__.next',
    '[].values().__proto__.next',
    'Headers.prototype.append',
    '(async () => {}).__proto__.call',
    'GLOBAL.JSON',
    'GLOBAL.JSON.stringify',
    'GLOBAL.Map',
    'GLOBAL.added',
    'GLOBAL.structuredClone',
    'GLOBAL.Math.max',
    'GLOBAL.Date.now',
    'Object.prototype.toString',
  ];
  /** What throws if the attack has no effect. `evil` is a function, `own` an object of the code. */
  const ATTACKS = [
    ...PLACES.map((place) => `${place} = evil; if (${place} !== evil) throw 0`),
    'Object.defineProperty(Object.prototype, "differences", { get: evil, configurable: true })',
    'Object.defineProperty(Error, Symbol.hasInstance, { value: evil })',
    'Object.setPrototypeOf(Array.prototype, own)',
    'implicit = 1; void implicit',
    '/(.)/.exec("a"); if (RegExp.$1 !== "a") throw 0',
    // Who calls the code.
    'if (!(function callee() { return callee.caller; })()?.caller?.caller) throw 0',
    'if (!seen.some(Boolean)) throw 0',
  ];
  const PREPARE = `const evil = () => true; const own = {}; const seen = []; await __at('/0', new Proxy({ ...context.payload }, { get: function trap(target, key) { seen.push(trap.caller); return target[key]; } }));`;

  test('by a step that can’t be compared', async () => {
    const breaks = "try { await __at('/1', new Proxy({}, { ownKeys() { throw 0; }, get() { throw 0; } })); } catch {}";
    const proved = await proveConfined(await job((code) => code.replace('// /1', `data.c = 1; ${breaks}`)));
    const { proof } = proved.ok ? proved.value : expect.fail(proved.error.message);
    expect(proof.comparisons.flatMap(({ unknown }) => unknown)).toMatchObject([
      { path: '/1', reason: 'The step’s comparison failed.' },
    ]);
    expect(proof.status).not.toBe('proved');
  });

  test('by changing what it shares with the prover', async () => {
    const changed = (code: string): string => starting(PREPARE + trying(ATTACKS))(code.replace('// /0', '//'));
    const proved = await proveConfined(await job(changed));
    const { proof } = proved.ok ? proved.value : expect.fail(proved.error.message);
    expect(proof.comparisons.flatMap(({ differences }) => differences)).toEqual([]);
    expect(proof.status).toBe('proved');
  });

  test('by anything that it leaves unfrozen', async () => {
    const walk = `const refused = await import('x').catch((error) => error); const parts = [refused, new Error()].flatMap((each) => Object.values(Object.getOwnPropertyDescriptor(each, 'stack')));
    const all = new Set([GLOBAL, Object.getPrototypeOf(refused), ...parts.filter((each) => Object(each) === each)]); for (const each of all) { const parts = Reflect.ownKeys(each).flatMap((key) => Object.values(Object.getOwnPropertyDescriptor(each, key))); for (const part of [...parts, Object.getPrototypeOf(each)]) if (Object(part) === part) all.add(part); } for (const each of all) if (!Object.isFrozen(each)) throw new Error('Not frozen: ' + String(each)); if (all.size < 500) throw new Error('Only ' + all.size);`;
    const proved = await proveConfined(await job(starting(walk.replaceAll('GLOBAL', GLOBAL))));
    const { proof } = proved.ok ? proved.value : expect.fail(proved.error.message);
    expect(proof.comparisons.flatMap(({ differences }) => differences)).toEqual([]);
  });

  test('by printing one, or by throwing what can’t be read', async () => {
    const forged = `'R' + JSON.stringify({ proof: { status: 'proved' } })`;
    const print = `for (const name in console) console[name](${forged}), console[name]('\\n' + ${forged});`;
    const throwing = `${print} throw { toString() { throw new Error(${forged}); } };`;
    const proved = await proveConfined(await job(starting(throwing)));
    const { proof } = proved.ok ? proved.value : expect.fail(proved.error.message);
    expect(proof.comparisons.flatMap(({ differences }) => differences)).toMatchObject([
      { what: 'failure', v3: 'An error that can’t be shown.' },
    ]);
    expect(proof.status).toBe('differs');
  });

  test('by a result that throws what can’t be read', async () => {
    const result = 'new Proxy({}, { ownKeys() { throw { toString() { throw 0; } }; } })';
    const proved = await proveConfined(await job((code) => code.replace('text(data.b)', result)));
    expect(proved).toMatchObject({ ok: false, error: { code: 'PROOF_FAILED' } });
  });

  test.each([
    ['of another action', { steps: [] }],
    ['of fewer recordings', { recordings: [{} as Recording, {} as Recording] }],
  ])('by sending a proof %s', async (_, other) => {
    const own = await job((code) => code);
    const proved = { proof: {}, strength: { caught: 99, total: 99, missed: [] }, inputs: [] };
    expect(isProofOf({ ...own, ...other }, proved)).toBe(false);
  });
});
