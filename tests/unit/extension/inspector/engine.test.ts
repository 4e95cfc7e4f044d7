/** Tests runs with our engine in the page, and the forms of its pipeline. */
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import { agentSource, bareRuntime, observedRuntime, openPage, type Page } from './support/page.ts';

let page: Page;
afterEach(() => page.close());

const STEPS = `[{ type: 'loop', range: { from: 1, to: 2 }, functions: [{ functionPackage: 'add', settings: { by: 10 } }] }]`;
const RUNTIME = `
  ENV = { appId: 1, taskPipeline: ${STEPS} };
  Platform = { Functions: { register() {} }, App: { Actions: { Pipeline: { run: async () => 'the platform’s' } } } };
  Platform.Functions.register('add', (settings, context) => (context.sum = (context.sum ?? 0) + context.currentItem * settings.by));`;

/** A page whose functions the agent has seen. */
async function watched(script = RUNTIME): Promise<void> {
  page = await openPage({ agent: false });
  page.run(await agentSource());
  page.port().watch('run', 'Platform');
  page.run(script);
}

const endOf = (events: AgentEvent[]) => events.at(-1);

describe('a run with our engine', () => {
  it('traces loops and context changes on a runtime that has no observer, and returns its own result', async () => {
    await watched();
    const events = await page.finish('{"sum":1}', 'ours');
    expect(events.flatMap((event) => (event.kind === 'step-started' ? [[event.path, event.iteration]] : []))).toEqual([
      ['/0', []],
      ['/0/functions/0', [0]],
      ['/0/functions/0', [1]],
    ]);
    expect(endOf(events)).toMatchObject({ state: 'completed', result: { v: 31 }, resultBytes: 2 });
  });

  it('is only chosen when asked for', async () => {
    await watched();
    const events = await page.finish('{}');
    expect(events[0]).not.toHaveProperty('engine');
    expect(endOf(events)).toMatchObject({ result: { v: 'the platform’s' } });
  });

  it('works where the platform’s runtime is ours, with the functions that it lists', async () => {
    page = await openPage({ before: observedRuntime });
    const events = await page.finish('{}', 'ours');
    expect(events[0]).toMatchObject({ engine: 'ours', tracing: 'observed' });
    expect(endOf(events)).toMatchObject({ state: 'completed', result: { v: 6 } });
  });

  it('reports a failing function with the path of its step, and no frames of the agent', async () => {
    await watched(`${RUNTIME} Platform.Functions.register('add', () => { throw new RangeError('too much') });`);
    const end = endOf(await page.finish('{}', 'ours'));
    expect(end).toMatchObject({
      state: 'failed',
      error: { code: 'STEP_FAILED', errorType: 'RangeError', errorMessage: 'too much', path: '/0/functions/0' },
    });
  });

  it('has the last function registered under a name', async () => {
    await watched(`${RUNTIME} Platform.Functions.register('add', () => 'newer');`);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ result: { v: 'newer' } });
  });

  it('fails when its result exceeds 6 MB', async () => {
    await watched(`${RUNTIME} Platform.Functions.register('add', () => 'm'.repeat(6 * 1024 * 1024));`);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({
      state: 'failed',
      error: { code: 'RESULT_TOO_LARGE', errorMessage: expect.stringContaining('6,291,456') as string },
    });
  });

  it('completes with a small result of any depth', async () => {
    const deep = 'let deep = 1; for (let i = 0; i < 700; i++) deep = [deep]; return deep';
    await watched(`${RUNTIME} Platform.Functions.register('add', () => { ${deep} });`);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ state: 'completed', result: { t: 'array' } });
  });

  it('reports the step of a function whose exception can’t be read', async () => {
    const hostile = 'new Proxy({}, new Proxy({}, { get() { throw 1 } }))';
    await watched(`${RUNTIME} Platform.Functions.register('add', () => { throw ${hostile} });`);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({
      state: 'failed',
      error: {
        code: 'STEP_FAILED',
        errorType: 'unreadable',
        errorMessage: 'The page threw a value that can’t be read.',
        path: '/0/functions/0',
        iteration: [0],
        trace: ['step /0/functions/0 (add), iteration 1'],
      },
    });
  });

  it('reports a symbol as the reason of a rejection', async () => {
    await watched(`${RUNTIME} Platform.Functions.register('add', () => Promise.reject(Symbol('no')));`);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({
      state: 'failed',
      error: { code: 'STEP_FAILED', errorType: 'symbol', errorMessage: 'Symbol(no) was thrown.' },
    });
  });

  it('fails after 120 seconds, with the step that was running', async () => {
    page = await openPage({ agent: false });
    page.run(`timers = []; setTimeout = (run, wait) => (wait > 1000 ? timers.push([run, wait]) : queueMicrotask(run));
      clearTimeout = () => {}; time = 0; performance.now = () => time;`);
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`${RUNTIME} Platform.Functions.register('add', () => new Promise(() => {}));`);
    page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' });
    await page.until(() => page.run('timers.length') === 1);
    // The debugger was paused for a second of it, as far as the page’s clock is concerned.
    page.run('time = 119_000; timers.shift()[0]()');
    expect(page.run('timers[0][1]')).toBe(1_001);
    page.run('time = 120_001; timers.shift()[0]()');
    await page.until(() => page.events().at(-1)?.kind === 'run-ended');
    expect(page.events().at(-1)).toMatchObject({
      state: 'failed',
      error: {
        code: 'TIMEOUT',
        errorType: 'TIMEOUT',
        errorMessage: 'The action ran longer than 120 seconds and was stopped.',
        path: '/0/functions/0',
        iteration: [0],
      },
    });
  });

  it.each([
    ['the console', 'Object.freeze(console)'],
    ['what sends beacons', 'Object.freeze(Navigator.prototype)'],
  ])('ends, and lets another one start, after a function has frozen %s', async (_what, freeze) => {
    await watched(`${RUNTIME} Platform.Functions.register('add', () => { ${freeze}; return 'done' });`);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ state: 'completed', result: { v: 'done' } });
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ state: 'completed', result: { v: 'done' } });
    expect(page.run('console.log("later"); lines.length')).toBe(1);
  });

  it('refuses functions that were registered before the agent was there, and says to reload', async () => {
    page = await openPage({ before: RUNTIME });
    expect(page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' })).toMatchObject({
      ok: false,
      error: {
        code: 'FUNCTIONS_MISSING',
        message: expect.stringContaining('add may have been registered before the panel could watch') as string,
        hint: expect.stringContaining('Reload') as string,
      },
    });
    expect(page.state().run).toBeNull();
  });

  it('says that the page registered an object, which only its own runtime can call', async () => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`ENV = { taskPipeline: [{ functionPackage: 'one' }] };
      Platform = { Functions: { register() {} }, App: { Actions: { Pipeline: { run() {} } } } };
      Platform.Functions.register('one', { run() {} });`);
    expect(page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' })).toMatchObject({
      ok: false,
      error: { code: 'FUNCTIONS_MISSING', message: expect.stringContaining('the page registered one as an object') },
    });
  });

  it('refuses functions that the page hasn’t registered, and names them', async () => {
    await watched(
      RUNTIME.replace(STEPS, `[{ functionPackage: 'one' }, { functionPackage: 'two' }, { function: 'one' }]`),
    );
    expect(page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' })).toMatchObject({
      error: {
        code: 'FUNCTIONS_MISSING',
        message:
          'Couldn’t run the pipeline with our engine: the panel hasn’t seen the page register one and 1 more. Nothing was run.',
      },
    });
  });

  it('reports a pipeline that the engine refuses before anything runs', async () => {
    await watched(RUNTIME.replace(STEPS, `[{ type: 'loop' }]`));
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({
      state: 'failed',
      error: { code: 'PIPELINE_INVALID', path: '/0' },
    });
  });

  it('can always be stopped, even if the page has replaced what the engine uses', async () => {
    await watched();
    page.run('Promise = Map = function () { return new Proxy(function () {}, { get: () => () => {} }) };');
    page.run('Array.prototype.push = () => 0;');
    page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' });
    await page.until(() => page.events().some((event) => event.kind !== 'run-started') || page.agent('stop', 'r'));
    expect(page.events().at(-1)).toMatchObject({ kind: 'run-ended' });
    expect(page.state()).toMatchObject({ platform: 'ready', run: null });
  });
});

describe('ENV.taskPipeline', () => {
  it('can be a JSON string, which is shown parsed and run parsed by our engine', async () => {
    await watched(`${RUNTIME} ENV.taskPipeline = JSON.stringify(ENV.taskPipeline);`);
    const { pipeline } = page.state();
    expect(pipeline).toMatchObject({ ok: true, steps: 2 });
    if (!pipeline.ok) return;
    const text = page.agent('text', pipeline.handle, 0, 1_000);
    expect(JSON.parse(text!)).toMatchObject([{ type: 'loop', range: { from: 1, to: 2 } }]);
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ state: 'completed', result: { v: 30 } });
  });

  it('can be in a constant, which isn’t a property of the window', async () => {
    await watched(RUNTIME.replace('ENV =', 'const ENV ='));
    expect(page.state()).toMatchObject({ pipeline: { ok: true, steps: 2 }, env: { appId: 1, taskId: 2 } });
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ state: 'completed', result: { v: 30 } });
  });

  it.each([
    ['missing', 'delete ENV.taskPipeline', 'PIPELINE_MISSING', 'The page has no ENV.taskPipeline.'],
    [
      'a string that isn’t JSON',
      `ENV.taskPipeline = '[{'`,
      'PIPELINE_INVALID',
      'ENV.taskPipeline must be an array. This one is a string that isn’t JSON.',
    ],
    [
      'the JSON of something else',
      `ENV.taskPipeline = '{"a":1}'`,
      'PIPELINE_INVALID',
      'ENV.taskPipeline must be an array. This one is a string that contains an object.',
    ],
    [
      'a string of more than 8 MB',
      `ENV.taskPipeline = '['.padEnd(8 * 1024 * 1024 + 1)`,
      'PIPELINE_TOO_LARGE',
      'ENV.taskPipeline is too large or too deep to show.',
    ],
  ])('that is %s is reported, and our engine runs nothing', async (_what, script, code, message) => {
    await watched(`${RUNTIME} ${script};`);
    const error = { code, message };
    expect(page.state().pipeline).toMatchObject({ ok: false, error });
    expect(page.agent('start', 'r', '{}', 'Platform', { engine: 'ours' })).toMatchObject({ ok: false, error });
  });

  it.each([
    ['replaced', `ENV.taskPipeline = [{ functionPackage: 'add' }]`],
    ['replaced by a string', `ENV.taskPipeline = '[{"functionPackage":"add"}]'`],
    ['emptied', 'ENV.taskPipeline.length = 0'],
  ])('that is %s after the page has loaded has another fingerprint', async (_what, change) => {
    await watched();
    const { fingerprint } = page.state();
    expect(page.state().fingerprint).toBe(fingerprint);
    page.run(change);
    expect(page.agent('read', 0, 1, 'Platform').fingerprint).not.toBe(fingerprint);
  });

  it('that is changed in place has another fingerprint after its next run, which uses it', async () => {
    await watched();
    const { fingerprint } = page.state();
    page.run('ENV.taskPipeline[0].range.to = 3');
    expect(endOf(await page.finish('{}', 'ours'))).toMatchObject({ result: { v: 60 } });
    expect(page.agent('read', 0, 1, 'Platform').fingerprint).not.toBe(fingerprint);
    expect(page.state().pipeline).toMatchObject({ ok: true, steps: 2 });
  });

  it('is missing on a page whose runtime can run anyway', async () => {
    page = await openPage({ before: `${bareRuntime('return 1')} delete ENV.taskPipeline;` });
    expect(endOf(await page.finish())).toMatchObject({ state: 'completed' });
  });
});
