/** Tests the events of a run, at each level of tracing. */
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import { parseBatch } from '../../../../lib/extension/inspector/run/parse.ts';
import { isExhaustive } from '../../../support/exhaustive.ts';
import { bareRuntime, observedRuntime, openPage, type Page } from './support/page.ts';

let page: Page;
afterEach(() => page.close());

const names = (events: { kind: string }[]) => events.map((event) => event.kind);

describe('a run of a runtime that accepts an observer', () => {
  it('reports each step and iteration with its changes, logs, and outcome', async () => {
    page = await openPage({ before: observedRuntime });
    expect(page.state()).toMatchObject({
      tracing: 'observed',
      functions: [{ name: 'set', url: 'http://localhost/set.js' }, { name: 'add' }],
    });
    const events = await page.finish('{"who":"me"}');
    expect(names(events)).toEqual([
      'run-started',
      'step-started',
      'console',
      'step-ended',
      'step-started',
      'step-started',
      'step-ended',
      'step-started',
      'step-ended',
      'step-started',
      'step-ended',
      'step-ended',
      'run-ended',
    ]);
    expect(events[0]).toMatchObject({ tracing: 'observed', context: { entries: [['who', { v: 'me' }]] } });
    expect(events[1]).toMatchObject({
      step: 1,
      parent: null,
      path: '/0',
      iteration: [],
      stepKind: 'function',
      name: 'set',
    });
    expect(events[2]).toMatchObject({ step: 1, level: 'log', args: [{ v: 'setting' }, { t: 'object' }] });
    expect(events[3]).toMatchObject({
      step: 1,
      state: 'completed',
      value: { v: 'set' },
      changes: [{ path: '/list' }, { path: '/sum', after: { v: 0 } }],
    });
    expect(events[5]).toMatchObject({
      step: 3,
      parent: 2,
      path: '/1/functions/0',
      iteration: [0],
      changes: [{ path: '/currentItem', after: { v: 1 } }],
    });
    expect(events[8]).toMatchObject({
      changes: [
        { path: '/list/2', after: { v: 2 } },
        { path: '/sum', before: { v: 1 }, after: { v: 3 } },
      ],
    });
    expect(events[11]).toMatchObject({ step: 2, changes: [{ path: '/currentItem', before: { v: 3 } }] });
    expect(events[12]).toMatchObject({ state: 'completed', result: { v: 6 }, resultBytes: 1 });
  });

  it('reports a failure with its code, path, cause, and the failing step first in the trace', async () => {
    page = await openPage({
      before: `${observedRuntime}; fns.add = function add() { throw new RangeError('too much') }`,
    });
    const events = await page.finish();
    const error = {
      code: 'STEP_FAILED',
      errorType: 'RangeError',
      errorMessage: 'too much',
      path: '/1/functions/0',
      iteration: [0],
    };
    const end = events.at(-1)!;
    expect(end).toMatchObject({ kind: 'run-ended', state: 'failed', error });
    if (end.kind !== 'run-ended') throw new Error('no end');
    expect(end.error!.trace[0]).toBe('step /1/functions/0 (add), iteration 1');
    expect(end.error!.trace[1]).toMatch(/^at (Object\.)?add .*:\d+:\d+/);
    expect(events.filter((event) => event.kind === 'step-ended' && event.state === 'failed')).toHaveLength(2);
  });

  it.each([
    ['a string', '"plain words"', 'string', 'plain words', { t: 'string' }],
    ['undefined', 'undefined', 'undefined', 'undefined was thrown.', { t: 'undefined' }],
    ['an object', '({ message: "m", b: 2 })', 'object', 'm', { t: 'object' }],
    ['a failure result', '({ errorType: "Quota", errorMessage: "Full" })', 'Quota', 'Full', { t: 'object' }],
  ])('reports a step that throws %s', async (_name, thrown, errorType, errorMessage, summary) => {
    page = await openPage({ before: `${observedRuntime}; fns.set = () => { throw ${thrown} }` });
    expect((await page.finish()).at(-1)).toMatchObject({
      state: 'failed',
      error: { code: 'STEP_FAILED', path: '/0', errorType, errorMessage, thrown: summary },
    });
  });

  it('stops: reports open steps and the run as stopped, once, and aborts the engine’s signal', async () => {
    page = await openPage({ before: `${observedRuntime}; fns.add = () => new Promise((go) => { release = go })` });
    page.agent('start', 'r', '{}', 'Platform');
    await page.until(() => page.events().length === 6);
    expect(page.agent('stop', 'another')).toBe(false);
    expect(page.agent('stop', 'r')).toBe(true);
    const events = page.events();
    expect(events.slice(6)).toMatchObject([
      { kind: 'step-ended', step: 3, state: 'stopped' },
      { kind: 'step-ended', step: 2, state: 'stopped' },
      { kind: 'run-ended', state: 'stopped' },
    ]);
    expect(events.at(-1)).not.toHaveProperty('goesOn');
    page.run('release(); console.log("late")');
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.events()).toEqual(events);
    expect(page.agent('stop', 'r')).toBe(false);
  });

  it('ignores what a runtime without a signal does after the stop, also during the next run', async () => {
    page = await openPage({
      before: `ENV = {}; releases = []; Platform = { App: { Actions: { Pipeline: { features: ['observer'], async run({ observer }) {
        for (let i = 0; i < 2; i++) {
          const info = { path: '/' + i, iteration: [], kind: 'function', name: 'n', step: {}, context: {} };
          observer.before(info); await new Promise((go) => releases.push(go)); observer.after(info, { state: 'completed' });
        }
        return 'late';
      } } } } };`,
    });
    page.agent('start', 'one', '{}', 'Platform');
    await page.until(() => page.run('releases.length') === 1);
    page.agent('stop', 'one');
    page.agent('start', 'two', '{}', 'Platform');
    await page.until(() => page.run('releases.length') === 2);
    const events = page.events();
    page.run('releases[0]()');
    await page.until(() => page.run('releases.length') === 3);
    page.run('releases[2]()');
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.events()).toEqual(events);
    expect(events.at(-1)).toMatchObject({ runId: 'two', kind: 'step-started' });
  });

  it('ends inner steps with the outer one when the runtime doesn’t', async () => {
    page = await openPage({
      before: `ENV = {}; Platform = { App: { Actions: { Pipeline: { features: ['observer'], async run({ observer }) {
        const outer = { path: '/0', kind: 'loop' }, inner = { path: '/0/functions/0', kind: 'function' };
        observer.before(outer); observer.before(inner); observer.after(outer, { state: 'completed' }); observer.before(inner);
      } } } } };`,
    });
    const ended = (await page.finish()).filter((event) => event.kind === 'step-ended');
    expect(ended.map((event) => event.step)).toEqual([2, 1, 3]);
  });

  const count = isExhaustive() ? 100_000 : 20_000;

  it(`reports every one of ${count} steps, with its changes and value, in batches of a limited size`, async () => {
    page = await openPage({
      before: `ENV = {}; Platform = { App: { Actions: { Pipeline: { features: ['observer'], async run({ observer }) {
        const context = { sum: 0 };
        const [loop, inner] = [{ type: 'loop' }, { settings: { to: 'team@example.com' } }];
        const of = (path, iteration, kind, step) => ({ path, iteration, kind, name: kind, step, context });
        const outer = of('/0', [], 'loop', loop);
        observer.before(outer);
        for (let i = 0; i < ${count}; i++) {
          context.currentItem = i;
          const info = of('/0/functions/0', [i], 'function', inner);
          observer.before(info);
          context.sum += i;
          observer.after(info, { state: 'completed', value: i });
        }
        observer.after(outer, { state: 'completed', iterations: ${count} });
      } } } } };`,
    });
    const batches: AgentEvent[][] = [];
    page.agent('start', 'r', '{}', 'Platform');
    await page.until(() => page.state().run === null);
    for (let after = 0; after < page.state().lastSeq; after = batches.at(-1)!.at(-1)!.n) {
      const text = page.port().call('run', 'read', [after, 2_000_000, 'Platform']);
      expect(text.length).toBeLessThan(4_000_000);
      const batch = parseBatch(JSON.parse(text))!;
      expect({ dropped: batch.dropped, invalid: batch.invalid }).toEqual({ dropped: 0, invalid: 0 });
      batches.push(batch.events);
    }
    const events = batches.flat();
    expect(events.length).toBe(2 * count + 4);
    expect(events.every(({ n }, i) => n === i + 1)).toBe(true);
    const starts = events.filter((event) => event.kind === 'step-started').slice(1);
    const ends = events.filter((event) => event.kind === 'step-ended').slice(0, -1);
    expect(starts.every(({ step, parent, iteration }, i) => step === i + 2 && parent === 1 && iteration[0] === i)).toBe(
      true,
    );
    expect(ends.every(({ step, value }, i) => step === i + 2 && value?.t === 'number' && value.v === i)).toBe(true);
    expect(starts.at(-1)).toMatchObject({
      name: 'function',
      settings: { entries: [['to', { v: 'team@example.com' }]] },
      changes: [{ path: '/currentItem', before: { v: count - 2 }, after: { v: count - 1 } }],
    });
    expect(ends.at(-1)?.changes).toMatchObject([{ path: '/sum', after: { v: (count * (count - 1)) / 2 } }]);
    const loop = events.at(-2) as Extract<AgentEvent, { kind: 'step-ended' }>;
    expect(loop).toMatchObject({ kind: 'step-ended', step: 1, iterations: count });
    const end = events.at(-1) as Extract<AgentEvent, { kind: 'run-ended' }>;
    expect(end.tracingMilliseconds).toBeGreaterThan(0);
    expect(end.tracingMilliseconds).toBeLessThanOrEqual(end.milliseconds);
  }, 30_000);

  it('isn’t harmed by a page that calls the observer with invalid arguments', async () => {
    page = await openPage({
      before: `ENV = {}; Platform = { App: { Actions: { Pipeline: { features: ['observer', {}], async run({ observer }) {
        observer.after({}, { state: 'completed' }); observer.before(null); observer.before(new Proxy({}, { get() { throw 1 } }));
        const info = { path: 7, iteration: ['x'], kind: {}, name: 5, context: 'c', step: null };
        observer.before(info); observer.after(info, null); observer.after(info, { state: 'what', branch: {}, iterations: 'x' });
      } } } } };`,
    });
    const events = await page.finish();
    expect(names(events)).toEqual(['run-started', 'step-started', 'step-ended', 'run-ended']);
    expect(events[1]).toMatchObject({
      path: null,
      iteration: [],
      stepKind: 'function',
      name: 'function',
      settings: { t: 'undefined' },
    });
    expect(events[2]).toMatchObject({ state: 'completed', changes: [] });
  });
});

const register = `
  ENV = {}; fns = {};
  Platform = { Functions: { register(name, fn) { fns[name] = fn } }, App: { Actions: { Pipeline: { async run() {
    const context = {};
    await fns.one({ to: 'you' }, context);
    await fns.two({}, context).catch(() => {});
    return fns.one.name;
  } } } } };
  Platform.Functions.register('one', function one(settings, context) { context.a = this === undefined || typeof this; console.info('in one'); return 1 });
  Platform.Functions.register('two', async (settings, context) => { context.b = 2; throw new Error('no') });`;

describe('a run of a runtime without an observer', () => {
  it('reports each call of a function that was registered after the agent as a step', async () => {
    page = await openPage();
    page.run(`this['platform-devtools.agent'].watch('run', 'Platform')`);
    expect(page.run('typeof Platform')).toBe('undefined');
    page.run(register);
    expect(page.state()).toMatchObject({ tracing: 'wrapped', functions: [{ name: 'one' }, { name: 'two' }] });
    const events = await page.finish();
    expect(names(events)).toEqual([
      'run-started',
      'step-started',
      'console',
      'step-ended',
      'step-started',
      'step-ended',
      'run-ended',
    ]);
    expect(events[1]).toMatchObject({ name: 'one', path: null, settings: { entries: [['to', { v: 'you' }]] } });
    expect(events[2]).toMatchObject({ step: 1, level: 'info' });
    expect(events[3]).toMatchObject({ state: 'completed', value: { v: 1 }, changes: [{ path: '/a' }] });
    expect(events[5]).toMatchObject({ state: 'failed', error: { errorMessage: 'no' }, changes: [{ path: '/b' }] });
    expect(events[6]).toMatchObject({ state: 'completed', result: { v: 'one' } });
  });

  it('leaves the namespace unchanged once it has a function', async () => {
    page = await openPage();
    page.run(`this['platform-devtools.agent'].watch('run', 'Platform')`);
    page.run(
      'var Platform = window.Platform || {}; Platform.Functions = Platform.Functions || { register() { return 7 } };',
    );
    expect(page.run('Platform.Functions.register("x", () => {})')).toBe(7);
    expect(page.run('JSON.stringify(Object.getOwnPropertyDescriptor(window, "Platform"))')).toContain(
      '"writable":true',
    );
    expect(page.run('Platform.Functions.register.name')).toBe('register');
  });

  it('reaches the raw function behind a wrapped one, for the debugger', async () => {
    page = await openPage();
    page.run(`this['platform-devtools.agent'].watch('run', 'Platform')`);
    page.run(register);
    expect(
      page.run(
        `this['platform-devtools.agent'].registeredFunction('Platform', 'one').name + (this['platform-devtools.agent'].registeredFunction('Platform', 'one') === fns.one)`,
      ),
    ).toBe('onefalse');
    expect(page.run(`this['platform-devtools.agent'].registeredFunction('Platform', 'none')`)).toBeUndefined();
  });

  it('reports that a reload would trace more when functions were registered before the agent', async () => {
    page = await openPage({ before: register });
    expect(page.state()).toMatchObject({ tracing: 'bare', canTraceAfterReload: true });
    expect(names(await page.finish())).toEqual(['run-started', 'console', 'run-ended']);
  });
});

describe('a run of a runtime that has only run()', () => {
  it.each([
    [
      'throws at once',
      'run = () => { throw new TypeError("at once") }',
      { state: 'failed', error: { errorType: 'TypeError', errorMessage: 'at once' } },
    ],
    ['returns no Promise', 'run = () => 5', { state: 'completed', result: { v: 5 } }],
    [
      'rejects with a string',
      'run = () => Promise.reject("why")',
      { state: 'failed', error: { errorType: 'string', errorMessage: 'why', code: null } },
    ],
    ['rejects with undefined', 'run = () => Promise.reject()', { state: 'failed', error: { errorType: 'undefined' } }],
    [
      'rejects with a revoked proxy',
      'r = Proxy.revocable({}, {}); r.revoke(); run = () => Promise.reject(r.proxy)',
      { state: 'failed', error: { thrown: { t: 'unreadable' } } },
    ],
    [
      'rejects with an error of its own kind',
      'run = () => Promise.reject(new (class Mine extends Error { name = "Mine" })("m"))',
      { state: 'failed', error: { errorType: 'Mine', errorMessage: 'm' } },
    ],
    [
      'rejects with a code and no message',
      'run = () => Promise.reject({ code: "X" })',
      { state: 'failed', error: { code: 'X', errorType: 'object' } },
    ],
    [
      'returns a thenable that throws',
      'run = () => ({ get then() { throw new Error("then") } })',
      { state: 'failed', error: { errorMessage: 'then' } },
    ],
    ['returns undefined', 'run = () => {}', { state: 'completed', result: { t: 'undefined' }, resultBytes: null }],
    [
      'returns a function',
      'run = () => function f() {}',
      { state: 'completed', result: { t: 'function' }, resultBytes: null },
    ],
    [
      'returns a BigInt',
      'run = () => 10n',
      { state: 'completed', result: { t: 'bigint', v: '10' }, resultBytes: null },
    ],
    [
      'returns a cycle',
      'run = () => { const a = {}; a.a = [a]; return a }',
      { state: 'completed', result: { entries: [['a', { items: [{ t: 'cycle', up: 2 }] }]] }, resultBytes: null },
    ],
    [
      'returns a DOM node',
      'run = () => document.body',
      { state: 'completed', result: { t: 'node', v: '<body>' }, resultBytes: null },
    ],
  ])('has its outcome reported: %s', async (_name, code, end) => {
    page = await openPage({
      before: `${bareRuntime('')}; Platform.App.Actions.Pipeline.${code.replace(/^(.*?)run = /s, (_, first: string) => (first ? `x = 0; ${first}Platform.App.Actions.Pipeline.` : '') + 'run = ')}`,
    });
    const events = await page.finish();
    expect(names(events)).toEqual(['run-started', 'run-ended']);
    expect(events[1]).toMatchObject(end);
  });

  it('has a result of 6 MB cut, with its size, and in full on request', async () => {
    page = await openPage({ before: bareRuntime('return "ä".repeat(3 * 1024 * 1024)') });
    const end = (await page.finish()).at(-1);
    if (end?.kind !== 'run-ended' || end.result?.t !== 'string') throw new Error('no result');
    expect(end.resultBytes).toBe(6 * 1024 * 1024 + 2);
    expect(end.result.length).toBe(3 * 1024 * 1024);
    expect(end.result.v.length).toBeLessThan(100_000);
    expect(page.agent('text', end.result.handle!, 3 * 1024 * 1024 - 2, 10)).toBe('ää');
    expect(page.agent('text', end.resultText!, 0, 3)).toBe('"ää');
  });

  it('that never ends is reported as stopped, with its code still running', async () => {
    page = await openPage({
      before: bareRuntime('await new Promise((go) => { release = go }); console.log("late"); return 1'),
    });
    page.agent('start', 'r', '{}', 'Platform');
    await page.until(() => page.run('typeof release') === 'function');
    page.agent('stop', 'r');
    const events = page.events();
    expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'stopped', goesOn: true });
    page.run('release()');
    await new Promise((resolve) => setTimeout(resolve));
    expect(page.events()).toEqual(events);
  });

  it('is refused during another run, without a pipeline, and with a payload that isn’t an object', async () => {
    page = await openPage({ before: bareRuntime('return new Promise(() => {})') });
    for (const payload of ['', 'x', '[]', 'null', '"a"', '1'])
      expect(page.agent('start', 'r', payload, 'Platform')).toMatchObject({
        ok: false,
        error: { code: 'PAYLOAD_INVALID' },
      });
    expect(page.agent('start', 'r', '{}', 'Other')).toMatchObject({ ok: false, error: { code: 'PLATFORM_NOT_READY' } });
    expect(page.agent('start', 'r1', '{}', 'Platform')).toMatchObject({
      ok: true,
      events: [{ kind: 'run-started', runId: 'r1' }],
    });
    expect(page.agent('start', 'r2', '{}', 'Platform')).toMatchObject({
      ok: false,
      error: { code: 'RUN_IN_PROGRESS' },
    });
    expect(page.state().run).toMatchObject({ id: 'r1' });
  });

  it('is refused when the page resets its URL, since it would run with another payload', async () => {
    page = await openPage({ before: `history.replaceState = () => {}; ${bareRuntime('return 1')}` });
    expect(page.agent('start', 'r', '{"a":1}', 'Platform')).toMatchObject({
      ok: false,
      error: { code: 'PAYLOAD_NOT_SET' },
    });
    expect(page.state().run).toBeNull();
  });

  it('needs no change of a URL that has its payload already', async () => {
    const sandboxed = `history.replaceState = () => { throw new Error('sandboxed') }; origin = 'null';`;
    const body = 'return new URLSearchParams(location.search).get("payload")';
    page = await openPage({
      before: `${sandboxed} ${bareRuntime(body)}`,
      url: 'http://localhost/x?html&payload=%7B%22a%22%3A1%7D',
    });
    expect((await page.finish('{"a": 1}')).at(-1)).toMatchObject({ state: 'completed', result: { v: '{"a":1}' } });
    expect(page.agent('start', 'r', '{"a":2}', 'Platform')).toMatchObject({
      ok: false,
      error: { code: 'PAYLOAD_NOT_SET', message: expect.stringContaining('the page is sandboxed') },
    });
    expect(page.state()).toMatchObject({ isSandboxed: true, run: null });
  });

  it('passes any payload in the URL', async () => {
    page = await openPage({
      before: bareRuntime('return new URLSearchParams(location.search).getAll("payload")'),
      url: 'http://localhost/x?html&payload=old&b=%20#hash',
    });
    const payload = { 'ä&=#?': '</script>\u2028\ud800%"\'', n: [1, null] };
    const end = (await page.finish(JSON.stringify(payload))).at(-1);
    if (end?.kind !== 'run-ended' || end.resultText === undefined) throw new Error('no result');
    const seen = JSON.parse(page.agent('text', end.resultText, 0, 1e6)!) as string[];
    expect(seen.map((text) => JSON.parse(text))).toEqual([payload]);
    expect(page.run('location.href')).toBe('http://localhost/x?html&payload=old&b=%20#hash');
  });
});
