import { afterEach, describe, expect, it, vi } from 'vitest';
import { readEnv } from '../../../lib/actions/environment.ts';
import { installRuntime, type Host, type Runtime } from '../../../lib/actions/runtime.ts';

const NAMES = ['Platform', 'Acme', 'ENV'];
afterEach(() => {
  for (const name of NAMES) Reflect.deleteProperty(globalThis, name);
});

let query = '';
let script: string | null = null;
const host: Host = {
  baseUrl: 'https://x.example/',
  request: () => Promise.resolve({}),
  requestV3: () => Promise.resolve({}),
  loadScript: () => Promise.resolve(),
  query: () => query,
  currentScript: () => script,
};

function install(pipeline: unknown = [], namespace = 'Platform'): Runtime {
  Reflect.set(globalThis, 'ENV', { appId: 7, taskPipeline: pipeline });
  installRuntime(namespace, host);
  return Reflect.get(globalThis, namespace) as Runtime;
}
const withPayload = (text: string): void => void (query = `?html&payload=${encodeURIComponent(text)}`);

describe('the namespace', () => {
  it('is the given one', () => {
    const acme = install([], 'Acme');
    expect(acme.App.Actions.Pipeline.features).toEqual(['observer', 'signal', 'sources', 'debugger', 'retry']);
    expect(Reflect.has(globalThis, 'Platform')).toBe(false);
  });

  it('keeps members that it already has', () => {
    const theirs = { OAuth2: () => 'theirs', App: { Analytics: 1, Actions: { create: 2 } } };
    Reflect.set(globalThis, 'Platform', theirs);
    const platform = install();
    expect(platform).toBe(theirs);
    expect(platform).toMatchObject({ App: { Analytics: 1, Actions: { create: 2, Pipeline: {} } } });
    expect(theirs.OAuth2()).toBe('theirs');
  });
});

describe('Functions', () => {
  it('registers, returns, and lists functions with the URL of their script', () => {
    const { Functions } = install();
    const one = () => 1;
    script = 'https://x.example/v1/functions/one.js';
    Functions.register('com.example.function.one', one);
    script = null;
    Functions.register('com.example.function.two', () => 2);
    expect(Functions.get('com.example.function.one')).toBe(one);
    expect(Functions.get('com.example.function.three')).toBeUndefined();
    expect(Functions.list()).toEqual([
      { name: 'com.example.function.one', url: 'https://x.example/v1/functions/one.js' },
      { name: 'com.example.function.two', url: null },
    ]);
  });

  it('replaces an earlier registration with a later one', async () => {
    const { Functions, App } = install([{ functionPackage: 'a' }]);
    Functions.register('a', () => 'first');
    Functions.register('a', () => 'second');
    expect(await App.Actions.Pipeline.run()).toBe('second');
    expect(Functions.list()).toHaveLength(1);
  });

  it.each([
    [undefined, (): number => 1],
    ['', (): number => 1],
    [7, (): number => 1],
    ['a', undefined],
    ['a', {}],
  ])('refuses to register %j, %j', (name, fn) => {
    const { Functions } = install();
    expect(() => Functions.register(name as string, fn as () => number)).toThrow(TypeError);
    expect(Functions.list()).toEqual([]);
  });

  it('compiles conditions', () => {
    const { Functions } = install();
    expect(Functions.compileCondition('a.b > 1')({ a: { b: 2 } })).toBe(true);
    expect(Functions.compileCondition('a.b > 1')).toBe(Functions.compileCondition('a.b > 1'));
    expect(() => Functions.compileCondition('a =')).toThrow();
  });
});

describe('Pipeline.run', () => {
  it('runs the current ENV.taskPipeline', async () => {
    const { Functions, App } = install([{ functionPackage: 'a', settings: { n: 1 } }]);
    Functions.register('a', (settings) => settings.n);
    expect(await App.Actions.Pipeline.run()).toBe(1);
    (readEnv() as { taskPipeline: unknown }).taskPipeline = [{ functionPackage: 'a', settings: { n: 2 } }];
    expect(await App.Actions.Pipeline.run()).toBe(2);
  });

  it('sends nothing to the platform, so the run isn’t in its log', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch');
    const { Functions, App } = install([{ functionPackage: 'a' }]);
    Functions.register('a', () => 1);
    expect(await App.Actions.Pipeline.run()).toBe(1);
    expect(fetch).not.toHaveBeenCalled();
    fetch.mockRestore();
  });

  it('reads the payload from the current URL, and defaults to {}', async () => {
    const { Functions, App } = install([{ functionPackage: 'a' }]);
    Functions.register('a', (_, context) => JSON.stringify(context));
    query = '?html';
    expect(await App.Actions.Pipeline.run()).toBe('{}');
    withPayload('{"email":"ä+b@example.com"}');
    expect(await App.Actions.Pipeline.run()).toBe('{"email":"ä+b@example.com"}');
  });

  it.each(['', '{', 'x', 'null', '[]', '7', '"text"', 'undefined'])(
    'rejects the payload %j with PAYLOAD_INVALID and runs nothing',
    async (text) => {
      const { Functions, App } = install([{ functionPackage: 'a' }]);
      const fn = vi.fn();
      Functions.register('a', fn);
      withPayload(text);
      await expect(App.Actions.Pipeline.run()).rejects.toMatchObject({
        name: 'PipelineError',
        code: 'PAYLOAD_INVALID',
        message: expect.stringContaining('The payload'),
      });
      expect(fn).not.toHaveBeenCalled();
      query = '';
    },
  );

  it('rejects, and doesn’t throw, without ENV or a pipeline', async () => {
    const { App } = install();
    for (const env of [undefined, null, 'text', {}, { taskPipeline: 'text' }]) {
      Reflect.set(globalThis, 'ENV', env);
      await expect(App.Actions.Pipeline.run()).rejects.toMatchObject({ code: 'PIPELINE_INVALID' });
    }
  });

  it('refuses an unregistered package before anything runs', async () => {
    const { Functions, App } = install([{ functionPackage: 'a' }, { functionPackage: 'b' }]);
    const fn = vi.fn();
    Functions.register('a', fn);
    await expect(App.Actions.Pipeline.run()).rejects.toMatchObject({
      code: 'PIPELINE_INVALID',
      problems: [{ path: expect.stringMatching(/^\/1/), code: 'UNKNOWN_PACKAGE' }],
    });
    expect(fn).not.toHaveBeenCalled();
  });

  it('calls an observer for each step, and stops when the signal is aborted', async () => {
    const { Functions, App } = install([{ functionPackage: 'a' }, { functionPackage: 'never' }]);
    Functions.register('a', () => 1);
    Functions.register('never', () => new Promise(() => {}));
    const controller = new AbortController();
    const seen: string[] = [];
    const run = App.Actions.Pipeline.run({
      signal: controller.signal,
      observer: {
        before: ({ path }) => {
          seen.push(path);
          if (path === '/1') queueMicrotask(() => controller.abort());
        },
      },
    });
    await expect(run).rejects.toMatchObject({ code: 'ABORTED', path: '/1' });
    expect(seen).toEqual(['/0', '/1']);
  });
});

it('env() returns ENV, or {} without one', () => {
  const platform = install();
  expect(platform.env()).toMatchObject({ appId: 7 });
  Reflect.deleteProperty(globalThis, 'ENV');
  expect(platform.env()).toEqual({});
});
