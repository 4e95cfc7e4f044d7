/** One run in its own process: its result, its limits, and how each kind of misbehavior ends (decisions, "Actions"; issue, "Runs on the server"). */
import { afterAll, describe, expect, it } from 'vitest';
import type { PipelineStep } from '../../lib/pipeline/index.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { BLOCKS, expectTimeout, failure, result, testRunner } from './support/runner.ts';

/** `tests/exhaustive/platform/runner-limits.test.ts` has endless loops of other kinds. */
const OTHER_WAITS = [
  ['an endless loop', 'while (true);'],
  ['a timer that is too long', 'await new Promise((resolve) => setTimeout(resolve, 60000));'],
] as const;

const runner = testRunner({ time: 20_000, spare: 2, recording: 'failed' });
const quick = testRunner({ time: 1_000 });
afterAll(() => Promise.all([runner.close(), quick.close()]));

describe('a run', () => {
  it('returns the last value that a function returned, and its duration', async () => {
    const report = await runner.pipeline(
      [
        { functionPackage: 'com.platform.function.set-context', settings: { assign: { twice: 'n * 2' } } },
        { functionPackage: 'com.platform.function.wait', settings: { ms: 20 } },
        { functionPackage: 'com.platform.function.return-string', settings: { message: 'it is {{twice}}' } },
      ],
      { n: 21 },
    );
    expect(result(report)).toBe('it is 42');
    expect(report.outcome.milliseconds).toBeGreaterThanOrEqual(19);
  });
  it('returns nothing when no function returned anything', async () => {
    expect(result(await runner.pipeline([]))).toBeUndefined();
  });
  it('preserves strings with any characters', async () => {
    const text = 'ä \u2028 😀 "quoted" \\ \ud800';
    expect(result(await runner.code('return context.text', { text }))).toBe(text);
  });
  it('returns its result although a function replaced JSON', async () => {
    expect(result(await runner.code('JSON.stringify = null; return { a: 1 }'))).toEqual({ a: 1 });
  });
  it('finds nothing of the run before it', async () => {
    const code =
      'globalThis.left = (globalThis.left ?? 0) + 1; Object.prototype.polluted = true; Array.prototype.map = null; return [left, {}.polluted]';
    expect(result(await runner.code(code))).toEqual([1, true]);
    expect(result(await runner.code('return [typeof left, {}.polluted === undefined, [1].map((n) => n)]'))).toEqual([
      'undefined',
      true,
      [1],
    ]);
  });
  it('accepts a payload with __proto__ as data', async () => {
    const payload = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, unknown>;
    expect(result(await runner.code('return [{}.admin === undefined, context.admin === undefined]', payload))).toEqual([
      true,
      true,
    ]);
  });
  it('stores the first lines of its console, up to a limit', async () => {
    const report = await runner.code(
      'console.log("first", {a: 1}, new Date(0), [new Map([["a", 1n]]), new RangeError("No.")]); for (let i = 0; i < 100000; i += 1) console.warn("x".repeat(100)); return 1',
    );
    expect(report.console[0]).toBe('log: first {"a":1} 1970-01-01T00:00:00.000Z [[["a","1"]],"RangeError: No."]');
    expect(report.console).toHaveLength(201);
    expect(report.console.at(-1)).toBe('warn: The rest was omitted.');
    expect(result(report)).toBe(1);
  });
  it('has the APIs that functions of a page use', async () => {
    const code = `
      const url = new URL('/a?b=1', 'https://user@example.com:8443/x');
      url.searchParams.set('c', 'd e');
      const headers = new Headers({ 'X-One': '1' });
      const controller = new AbortController();
      controller.abort();
      return [url.href, url.host, [...url.searchParams], headers.get('x-one'), atob(btoa('abc')), new TextDecoder().decode(new TextEncoder().encode('ä€')), /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), controller.signal.aborted,
        await new Promise((resolve) => { let n = 0; const id = setInterval(() => { n += 1; if (n === 3) { clearInterval(id); resolve(n); } }, 1); })];`;
    expect(result(await runner.code(code))).toEqual([
      'https://user@example.com:8443/a?b=1&c=d+e',
      'example.com:8443',
      [
        ['b', '1'],
        ['c', 'd e'],
      ],
      '1',
      'abc',
      'ä€',
      true,
      true,
      3,
    ]);
  });
  it('has random numbers of its own', async () => {
    const code = 'return [Math.random(), crypto.randomUUID(), ...crypto.getRandomValues(new Uint8Array(16))]';
    const [one, other] = [result(await runner.code(code)), result(await runner.code(code))] as unknown[][];
    expect(one![0]).not.toBe(other![0]);
    expect(one![1]).not.toBe(other![1]);
    expect(one!.slice(2)).not.toEqual(other!.slice(2));
  });
  it('logs which script couldn’t be loaded, and continues with the others', async () => {
    const report = await runner.pipeline(
      [{ functionPackage: 'com.platform.function.return-string', settings: { message: 'ok' } }],
      {},
      [{ name: 'functions/broken.js', source: 'function (' }],
    );
    expect(report.console[0]).toMatch(/^error: Couldn’t load functions\/broken\.js: /);
    expect(result(report)).toBe('ok');
  });
});

describe('a failure', () => {
  it('is reported by errorType, errorMessage, and trace, the failing step first', async () => {
    const report = await runner.pipeline([
      {
        type: 'loop',
        range: { from: 1, to: 3 },
        functions: [
          {
            type: 'if',
            conditions: [
              {
                condition: 'currentItem == 2',
                functions: [
                  { functionPackage: 'com.platform.function.fail', settings: { message: 'two is too many' } },
                ],
              },
            ],
          },
        ],
      },
    ]);
    const { code, errorType, errorMessage, trace } = failure(report);
    expect({ code, errorType, errorMessage }).toEqual({
      code: 'ACTION_FAILED',
      errorType: 'Error',
      errorMessage: 'two is too many',
    });
    expect(trace.slice(0, 3)).toEqual([
      '/0/functions/0/conditions/0/functions/0 com.platform.function.fail, iteration 2',
      '/0/functions/0 if, iteration 2',
      '/0 loop',
    ]);
    expect(trace[3]).toMatch(/^at .*\/v1\/functions\/com\.platform\.function\.fail\.js:\d+:\d+/);
  });
  it('names the type of what a function threw, and its causes', async () => {
    expect(failure(await runner.code('throw new RangeError("far", { cause: new TypeError("near") })'))).toMatchObject({
      errorType: 'RangeError',
      errorMessage: 'far',
      trace: expect.arrayContaining(['caused by TypeError: near']),
    });
  });
  it('names the code and the paths of a refused pipeline', async () => {
    expect(failure(await runner.pipeline([{ functionPackage: 'com.example.none' }]))).toMatchObject({
      code: 'ACTION_FAILED',
      errorType: 'PIPELINE_INVALID',
      trace: [expect.stringMatching(/^\/0.*: .*com\.example\.none/)],
    });
  });
  it.each([
    ['throw null', 'Error'],
    ['throw Object.defineProperty(new Error(), "message", { get() { throw 1; } })', 'Error'],
    ['throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 1; } })', 'Error'],
  ])('is reported for anything that was thrown: %s', async (code, errorType) => {
    expect(failure(await runner.code(code))).toMatchObject({
      code: 'ACTION_FAILED',
      errorType,
      errorMessage: expect.stringMatching(/./),
    });
  });
});

describe('the time limit kills a run in', () => {
  it.each<readonly [name: string, code: string]>([
    ['a promise that never settles', 'await new Promise(() => {});'],
    ['a blocking wait', BLOCKS],
    ...(isExhaustive() ? OTHER_WAITS : []),
  ])('%s', (_, code) => expectTimeout(quick, code));
});

describe('the trace of a stopped run starts with the running step, then has the steps around it', () => {
  const fills = 'const all = []; for (;;) all.push(new Uint8Array(16 * 1024 * 1024).fill(1));';
  const grows = 'const all = []; for (;;) all.push(new Array(10000).fill(all.length));';
  interface Stop {
    code: string;
    errorType: string;
    errorMessage?: string;
  }
  const OUT_OF_TIME: Stop = { code: 'TIMEOUT', errorType: 'TIMEOUT' };
  const OUT_OF_MEMORY: Stop = {
    code: 'ACTION_FAILED',
    errorType: 'OutOfMemory',
    errorMessage: 'The action exceeded the memory limit of 256 MB and was stopped.',
  };
  it.each<readonly [name: string, code: string, stop: Stop]>([
    ['that hangs', BLOCKS, OUT_OF_TIME],
    ...(isExhaustive() ? ([['that never settles', 'return new Promise(() => {});', OUT_OF_TIME]] as const) : []),
    ['whose heap grows', grows, OUT_OF_MEMORY],
    ...(isExhaustive() ? ([['whose buffers grow', fills, OUT_OF_MEMORY]] as const) : []),
  ])('after a step %s', async (_, code, stop) => {
    const scripts = [
      { name: 'functions/quick.js', source: `Platform.Functions.register('quick', () => 1)` },
      {
        name: 'functions/slow.js',
        source: `Platform.Functions.register('slow', (_, { currentItem }) => { if (currentItem === 3) { ${code} } })`,
      },
    ];
    const body = [
      { functionPackage: 'quick' },
      { type: 'if' as const, conditions: [{ condition: 'true', functions: [{ functionPackage: 'slow' }] }] },
    ];
    const pipeline = [
      { functionPackage: 'quick' },
      { type: 'loop' as const, range: { from: 1, to: 3 }, functions: body },
    ];
    const run = stop === OUT_OF_TIME ? quick : runner;
    expect(failure(await run.pipeline(pipeline, {}, scripts))).toMatchObject({
      ...stop,
      trace: [
        '/1/functions/1/conditions/0/functions/0 slow, iteration 3',
        '/1/functions/1 if, iteration 3',
        '/1 loop',
        'after /1/functions/0 quick, iteration 3',
        'after /1/functions/1/conditions/0/functions/0 slow, iteration 2',
        'after /1/functions/1 if, iteration 2',
        'after /1/functions/0 quick, iteration 2',
        'after /1/functions/1/conditions/0/functions/0 slow, iteration 1',
        'after /1/functions/1 if, iteration 1',
      ],
    });
  });

  it('in 40 nested loops and ifs', async () => {
    const slow = `Platform.Functions.register('slow', () => { ${BLOCKS} })`;
    let steps: PipelineStep[] = [{ functionPackage: 'slow' }];
    for (let level = 1; level < 40; level += 1)
      steps =
        level % 2
          ? [{ type: 'if', conditions: [{ condition: 'true', functions: steps }] }]
          : [{ type: 'loop', range: { from: 1, to: 1 }, functions: steps }];
    const { trace } = failure(await quick.pipeline(steps, {}, [{ name: 'functions/slow.js', source: slow }]));
    expect(trace[0]).toMatch(/ slow, iteration (1\.)*1$/);
    expect(trace).toHaveLength(40);
  });
});

describe('a misbehaving run is recorded as failed', () => {
  it('with a result that is too large, which reports its size', async () => {
    const small = testRunner({ result: 1_000 });
    expect(result(await small.code('return "x".repeat(998)'))).toHaveLength(998);
    expect(failure(await small.code('return "x".repeat(999)'))).toMatchObject({
      code: 'RESULT_TOO_LARGE',
      errorMessage: 'The result is limited to 1,000 bytes of JSON. This one has 1,001.',
    });
    expect(failure(await small.code('return "ä".repeat(500)'))).toMatchObject({
      code: 'RESULT_TOO_LARGE',
      errorMessage: 'The result is limited to 1,000 bytes of JSON. This one has 1,002.',
    });
    await small.close();
  });
  if (isExhaustive())
    it('but not with a result of exactly 6 MB, only with one byte more', async () => {
      const limit = 6 * 1024 * 1024;
      expect(result(await runner.code(`return "x".repeat(${limit - 2})`))).toHaveLength(limit - 2);
      expect(failure(await runner.code(`return "x".repeat(${limit - 1})`)).code).toBe('RESULT_TOO_LARGE');
    });
  it.each([
    [
      'a circle',
      'const a = {}; a.a = a; return a;',
      /^Couldn’t convert the result to JSON: Converting circular structure/,
    ],
    ['a BigInt', 'return 1n;', /^Couldn’t convert the result to JSON: .*BigInt/],
    [
      'a toJSON that throws',
      'return { toJSON() { throw new Error("no"); } };',
      /^Couldn’t convert the result to JSON: no\./,
    ],
  ])('with a result that isn’t JSON: %s', async (_, code, message) => {
    expect(failure(await runner.code(code))).toMatchObject({
      code: 'ACTION_FAILED',
      errorType: 'TypeError',
      errorMessage: expect.stringMatching(message),
    });
  });
  it('with a result that is nested too deeply, but not with one of 1,000 levels', async () => {
    const nested = (levels: number) =>
      `let value = 1; for (let level = 0; level < ${levels}; level += 1) value = { value }; return value;`;
    expect(JSON.stringify(result(await runner.code(nested(1_000))))).toHaveLength(10_001);
    for (const levels of isExhaustive() ? [1_001, 3_000, 100_000] : [1_001, 100_000])
      expect(failure(await runner.code(nested(levels)))).toMatchObject({
        code: 'ACTION_FAILED',
        errorType: 'RESULT_TOO_DEEP',
        errorMessage: 'The result is limited to 1,000 levels of nesting. This one has more.',
      });
  });
  it('but its functions can’t end the process', async () => {
    expect(failure(await runner.code('process.exit(0)'))).toMatchObject({
      errorType: 'ReferenceError',
      errorMessage: 'process is not defined',
    });
  });
  it('after its process was killed from outside', async () => {
    const one = testRunner({ spare: 1 });
    const stop = new AbortController();
    const running = one.run(
      {
        baseUrl: 'http://a/',
        env: { taskPipeline: [] },
        payload: {},
        scripts: [{ name: 'x.js', source: 'for (;;);' }],
        screen: false,
      },
      stop.signal,
    );
    stop.abort();
    expect(failure(await running)).toMatchObject({ code: 'ACTION_FAILED', errorType: 'Interrupted' });
    await one.close();
  });
});

describe('a screen', () => {
  const screen = (source: string, payload: Record<string, unknown> = {}) =>
    runner.run({
      baseUrl: 'http://a/',
      env: { taskPipeline: [] },
      payload,
      scripts: [{ name: 'screens/7/main.js', source }],
      screen: true,
    });
  it('is run by the handler that it passed to Platform.Page.onRemoteExecution', async () => {
    expect(
      result(
        await screen('Platform.Page.onRemoteExecution(async (payload) => ({ doubled: payload.n * 2 }))', { n: 4 }),
      ),
    ).toEqual({ doubled: 8 });
  });
  it('fails without a handler', async () => {
    expect(failure(await screen('1')).errorMessage).toBe(
      'The screen has no Platform.Page.onRemoteExecution handler. Set it while the screen’s scripts load.',
    );
  });
  it('fails when its handler fails', async () => {
    expect(
      failure(await screen('Platform.Page.onRemoteExecution(() => { throw new RangeError("no"); })')),
    ).toMatchObject({
      errorType: 'RangeError',
      errorMessage: 'no',
      trace: [expect.stringMatching(/^at .*\/v1\/screens\/7\/main\.js:1:/)],
    });
  });
});
