/** Tests the agent in pages of other installations, whose runtimes are written differently. */
import vm from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import {
  FOREIGN_FUNCTIONS,
  FOREIGN_RESULT,
  FOREIGN_RUNTIME_NAMES,
  FOREIGN_RUNTIMES,
  type ForeignRuntime,
  type ForeignRuntimeName,
} from '../../../support/servers/foreign-runtimes.ts';
import { agentSource, openPage, type Page } from './support/page.ts';

let page: Page;
afterEach(() => page.close());

/** A page with the runtime and an agent from before its first script. */
async function openRuntime(name: ForeignRuntimeName): Promise<void> {
  page = await openPage({ agent: false });
  page.run(await agentSource());
  page.lookUp();
  page.port().watch('run', 'Platform');
  const { scripts }: ForeignRuntime = FOREIGN_RUNTIMES[name];
  for (const script of scripts) {
    page.run(script);
    // A browser reports the element of each script before it runs.
    page.lookUp();
  }
  if (name === 'late') await page.until(() => page.run('globalThis.isRegistered') === true);
}

const stepNames = (events: AgentEvent[]) =>
  events.flatMap((event) => (event.kind === 'step-started' ? [event.name] : []));

describe.each(FOREIGN_RUNTIME_NAMES)('a runtime of kind %s that is watched from the start', (name) => {
  it('is described with its functions and pipeline', async () => {
    await openRuntime(name);
    expect(page.state()).toMatchObject({
      platform: 'ready',
      tracing: 'wrapped',
      canTraceAfterReload: false,
      pipeline: { ok: true, steps: 3 },
      env: { appId: 7, taskId: 9 },
    });
    expect(page.state().functions.map((each) => each.name)).toEqual(FOREIGN_FUNCTIONS);
  });

  it('is traced by the calls of its functions, and returns its result', async () => {
    await openRuntime(name);
    const events = await page.finish();
    expect(stepNames(events)).toEqual(FOREIGN_FUNCTIONS);
    expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed', result: { v: FOREIGN_RESULT } });
  });

  it('runs with our engine, which traces each step with its path', async () => {
    await openRuntime(name);
    const events = await page.finish('{"hold":false}', 'ours');
    expect(events[0]).toMatchObject({ kind: 'run-started', engine: 'ours', tracing: 'observed' });
    const steps = events.filter((event) => event.kind === 'step-started');
    expect(steps.map((step) => [step.path, step.name])).toEqual(
      FOREIGN_FUNCTIONS.map((fn, index) => [`/${index}`, fn]),
    );
    expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed', result: { v: FOREIGN_RESULT } });
  });

  it('really stops with our engine: no further step runs', async () => {
    await openRuntime(name);
    page.agent('start', 'r', '{"hold":true}', 'Platform', { engine: 'ours' });
    await page.until(() => page.run('typeof globalThis.release') === 'function');
    expect(page.agent('stop', 'r')).toBe(true);
    expect(page.events().at(-1)).toMatchObject({ kind: 'run-ended', state: 'stopped' });
    expect(page.events().at(-1)).not.toHaveProperty('goesOn');
    page.run('release(); delete globalThis.release');
    // When the next run waits, the stopped one would have gone on.
    page.agent('start', 's', '{"hold":true}', 'Platform', { engine: 'ours' });
    await page.until(() => page.run('typeof globalThis.release') === 'function');
    expect(page.run('typeof document.documentElement.dataset.stack')).toBe('undefined');
  });

  it('can’t be stopped: its code continues untraced', async () => {
    await openRuntime(name);
    page.agent('start', 'r', '{"hold":true}', 'Platform');
    await page.until(() => page.run('typeof globalThis.release') === 'function');
    expect(page.agent('stop', 'r')).toBe(true);
    expect(page.events().at(-1)).toMatchObject({ kind: 'run-ended', state: 'stopped', goesOn: true });
    page.run('release()');
    await page.until(() => page.run('typeof document.documentElement.dataset.stack') === 'string');
    expect(page.events().at(-1)).toMatchObject({ kind: 'run-ended' });
  });
});

describe('a namespace that isn’t a property of the window', () => {
  const members = `App = { Actions: { get() { return 'listed'; }, Pipeline: { run() { return 'ran'; } } } }`;
  it.each([
    ['const', `const Platform = { ${members.replace(' =', ':')} };`],
    ['let', `let Platform; Platform = { ${members.replace(' =', ':')} };`],
    ['class', `class Platform { static ${members}; }`],
  ])('is found if it’s a %s', async (_what, script) => {
    page = await openPage({ before: `${script} ENV = { appId: 1, taskId: 2, taskPipeline: [] };` });
    expect(page.state().platform).toBe('absent');
    page.lookUp();
    expect(page.state()).toMatchObject({ platform: 'ready', hasActions: true });
    const { documentId } = page.state();
    const target = { documentId, appId: 1, namespace: 'Platform' };
    page.port().call('api', 'call', ['a', 'App.Actions.get', '[]', target]);
    const outcome = () => JSON.parse(page.port().call('api', 'outcome', ['a', documentId])) as { state: string };
    await page.until(() => outcome().state !== 'pending');
    expect(outcome()).toMatchObject({ state: 'fulfilled', text: '"listed"' });
    const events = await page.finish();
    expect(events.at(-1)).toMatchObject({ state: 'completed', result: { v: 'ran' } });
  });

  it('is the one that scripts see, even if the window has another one', async () => {
    page = await openPage({ before: `window.Platform = 'old'; const Platform = { App: {} };` });
    expect(page.state().platform).toBe('not-an-object');
    page.lookUp();
    expect(page.state().platform).toBe('no-pipeline');
  });

  it('is absent until its script has declared it', async () => {
    page = await openPage();
    page.lookUp();
    expect(page.state().platform).toBe('absent');
  });
});

describe('a runtime that is watched from the start', () => {
  it.each([
    ['namespace', 'Platform = { Functions: { register() {} } }; Platform = real;'],
    [
      'functions',
      'Platform = { App: real.App }; Platform.Functions = { register() {} }; Platform.Functions = real.Functions;',
    ],
  ])('has its functions known, even if the page first sets a stub of its %s', async (_what, script) => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`real = { Functions: { register() {} }, App: { Actions: { Pipeline: { run() {} } } } }; ${script}`);
    page.run(`Platform.Functions.register('one', () => 1);`);
    expect(page.state()).toMatchObject({ platform: 'ready', tracing: 'wrapped', functions: [{ name: 'one' }] });
  });

  it.each([
    ['that is already there', 'Platform = { Functions: stub };', 'Platform.Functions = { register: add };'],
    ['that is set later', 'Platform = {}; Platform.Functions = stub;', 'Platform.Functions = { register: add };'],
    ['in its namespace', 'Platform = { Functions: stub };', 'Platform = { Functions: { register: add } };'],
    ['in place', 'Platform = { Functions: stub };', 'Platform.Functions.register = add;'],
  ])('has its functions known if it replaces a stub %s while the page loads', async (_what, script, replace) => {
    // In browsers, the prototype of EventTarget has the method itself.
    const loading = `ready = 'loading'; Object.defineProperty(Document.prototype, 'readyState', { get: () => ready });
      EventTarget.prototype.addEventListener = EventTarget.prototype.addEventListener;`;
    page = await openPage({ before: loading, agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`queue = []; stub = { register: (...args) => queue.push(args) }; ${script}
      Platform.Functions.register('one', (settings, context) => { context.n = 1 });
      all = {}; add = (name, fn) => { all[name] = fn }; ${replace}
      for (const args of queue) Platform.Functions.register(...args);
      Platform.Functions.register('two', (settings, context) => context.n + 1);
      ENV = { appId: 1, taskPipeline: [{ functionPackage: 'one' }, { functionPackage: 'two' }] };
      Platform.App = { Actions: { Pipeline: { run() { const context = {}; all.one({}, context); return all.two({}, context) } } } };
      ready = 'complete'; dispatchEvent(new Event('load'));`);
    expect(page.state().functions.map((each) => each.name)).toEqual(['one', 'two']);
    for (const engine of ['platform', 'ours'] as const) {
      const events = await page.finish('{}', engine);
      expect(stepNames(events)).toEqual(['one', 'two']);
      expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'completed', result: { v: 2 } });
    }
    expect(
      page.run(`[[globalThis, 'Platform'], [Platform, 'Functions'], [Platform.Functions, 'register']]
        .every(([owner, key]) => Object.getOwnPropertyDescriptor(owner, key).writable)`),
    ).toBe(true);
  });

  it.each([
    ['namespace', `Object.defineProperty(window, 'Platform', { value: { Functions, App } });`],
    [
      'frozen namespace',
      `Object.defineProperty(window, 'Platform', { value: Object.freeze({ Functions: Object.freeze(Functions), App }) });`,
    ],
    [
      'namespace, and sets functions later',
      `Object.defineProperty(window, 'Platform', { value: { App } }); Platform.Functions = Functions;`,
    ],
    ['functions', `Platform = { App }; Object.defineProperty(Platform, 'Functions', { value: Functions });`],
    ['namespace by a getter', `Object.defineProperty(window, 'Platform', { get: () => runtime });`],
  ])('has its functions known if it defines its %s', async (_what, script) => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(
      `Functions = { register() {} }; App = { Actions: { Pipeline: { run() {} } } }; runtime = { Functions, App }; ${script}`,
    );
    page.run(`Platform.Functions.register('one', () => 1);`);
    expect(page.state()).toMatchObject({ platform: 'ready', functions: [{ name: 'one' }] });
    expect(page.run(`Object.defineProperty.name + String(Object.defineProperty({}, 'a', { value: 1 }).a)`)).toBe(
      'defineProperty1',
    );
  });

  it('reports one step for a function that the page decorates as it’s registered', async () => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`all = {}; Platform = { Functions: { register(name, fn) { all[name] = fn } }, App: { Actions: { Pipeline: { run: () => all.one() } } } };
      ENV = { appId: 1, taskPipeline: [{ functionPackage: 'one' }] };
      const { register } = Platform.Functions;
      Platform.Functions.register = (name, fn) => register(name, () => 'decorated ' + fn());
      Platform.Functions.register('one', () => 'one');`);
    for (const engine of ['platform', 'ours'] as const) {
      const events = await page.finish('{}', engine);
      expect(stepNames(events)).toEqual(['one']);
      expect(events.at(-1)).toMatchObject({ result: { v: 'decorated one' } });
    }
  });

  it('doesn’t have a function known that its runtime refuses', async () => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`ENV = { appId: 1, taskPipeline: [{ functionPackage: 'one' }] };
      Platform = { Functions: { all: {}, register(name, fn) { if (this.all[name] || name === '') throw new Error('refused'); this.all[name] = fn } },
        App: { Actions: { Pipeline: { run: () => Platform.Functions.all.one() } } } };
      Platform.Functions.register('one', () => 'first');
      for (const name of ['one', '']) try { Platform.Functions.register(name, () => 'refused') } catch {}`);
    expect(page.state().functions.map(({ name }) => name)).toEqual(['one']);
    for (const engine of ['platform', 'ours'] as const)
      expect((await page.finish('{}', engine)).at(-1)).toMatchObject({ result: { v: 'first' } });
  });

  it('keeps an object with a register function of its own as it is, although it hooks it before it’s frozen', async () => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(`plugin = () => 1; plugins = Object.freeze({ register: (name, given) => given === plugin });`);
    expect(page.run(`plugins.register('plugin', plugin)`)).toBe(true);
    page.run(`Platform = { Functions: { register() {} }, App: { Actions: { Pipeline: { run() {} } } } };`);
    expect(page.state().functions).toEqual([]);
  });

  it('knows the URL of a function that a module registers', async () => {
    page = await openPage({ agent: false });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run('Platform = { Functions: { register() {} } }');
    new vm.Script(`Platform.Functions.register('one', () => 1)`, {
      filename: 'https://app.example/one.js?v=2',
    }).runInContext(page.window as unknown as vm.Context);
    expect(page.state().functions).toEqual([{ name: 'one', url: 'https://app.example/one.js?v=2' }]);
  });
});
