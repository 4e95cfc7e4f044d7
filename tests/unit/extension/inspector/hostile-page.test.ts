/** Tests that the agent works in every page, however hostile. */
import { parseAst } from 'vite';
import { afterEach, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../../lib/extension/inspector/contract.ts';
import { agentSource, bareRuntime, observedRuntime, openPage, type Page } from './support/page.ts';

let page: Page;
afterEach(() => page.close());

describe('the state of a page', () => {
  it.each([
    ['no Platform', '', 'absent', undefined],
    ['a Platform that is a string', 'Platform = "hello"', 'not-an-object', 'string'],
    [
      'a getter that throws',
      'Object.defineProperty(window, "Platform", { get() { throw new TypeError("mine") } })',
      'throws',
      'TypeError: mine',
    ],
    ['a proxy that throws', 'Platform = new Proxy({}, { get() { throw "no" } })', 'throws', 'no'],
    ['a revoked proxy', 'r = Proxy.revocable({}, {}); r.revoke(); Platform = r.proxy', 'throws', undefined],
    ['a Platform without a pipeline', 'Platform = { App: {} }', 'no-pipeline', undefined],
    [
      'a run that isn’t a function',
      'Platform = { App: { Actions: { Pipeline: { run: 1 } } } }',
      'no-pipeline',
      undefined,
    ],
    ['a Platform with a pipeline', bareRuntime('return 1'), 'ready', undefined],
  ])('reports %s', async (_name, before, platform, detail) => {
    page = await openPage({ before });
    const state = page.state();
    expect(state.platform).toBe(platform);
    if (detail) expect(state.platformDetail).toBe(detail);
  });

  it.each([
    ['no ENV', '', 'PIPELINE_MISSING'],
    ['an ENV without a pipeline', 'ENV = {}', 'PIPELINE_MISSING'],
    ['an ENV that is a string', 'ENV = "x"', 'PIPELINE_MISSING'],
    ['a pipeline that isn’t an array', 'ENV = { taskPipeline: { 0: 1 } }', 'PIPELINE_INVALID'],
    ['a pipeline getter that throws', 'ENV = { get taskPipeline() { throw 1 } }', 'PIPELINE_MISSING'],
    ['a cyclic pipeline', 's = { functions: [] }; s.functions.push(s); ENV = { taskPipeline: [s] }', 'PIPELINE_CYCLIC'],
    ['a getter in a step', 'ENV = { taskPipeline: [{ get settings() { throw 1 } }] }', 'PIPELINE_UNREADABLE'],
    ['a step with toJSON', 'ENV = { taskPipeline: [{ toJSON() { return 1 } }] }', 'PIPELINE_UNREADABLE'],
    [
      'a pipeline that is a revoked proxy',
      'r = Proxy.revocable([], {}); r.revoke(); ENV = { taskPipeline: r.proxy }',
      'PIPELINE_INVALID',
    ],
    [
      'a deeply nested pipeline',
      'p = []; for (i = 0; i < 5000; i++) p = [{ functions: p }]; ENV = { taskPipeline: p }',
      'PIPELINE_TOO_LARGE',
    ],
  ])('reports why %s can’t be shown', async (_name, before, code) => {
    page = await openPage({ before });
    const { pipeline } = page.state();
    expect(pipeline).toMatchObject({ ok: false, error: { code } });
  });

  it('has a pipeline of 10,000 steps in batches, and counts nested ones', async () => {
    page = await openPage({
      before: `ENV = { taskPipeline: Array.from({ length: 10000 }, (_, i) => ({ functionPackage: 'p' + i, functions: i ? [] : [{}, { conditions: [{ functions: [{}] }], elseFunctions: [{}] }] })) }`,
    });
    const { pipeline } = page.state();
    if (!pipeline.ok) throw new Error(pipeline.error.code);
    expect(pipeline.steps).toBe(10_004);
    let text = '';
    for (
      let piece = page.agent('text', pipeline.handle, 0, 100_000);
      piece;
      piece = page.agent('text', pipeline.handle, text.length, 100_000)
    )
      text += piece;
    expect(JSON.parse(text)).toHaveLength(10_000);
    expect(new TextEncoder().encode(text)).toHaveLength(pipeline.bytes);
  });

  it('has names and settings with markup unchanged', async () => {
    const steps = [
      { functionPackage: '<script>alert(1)</script>', settings: { a: '</script><!--', '</script>': '\u2028' } },
    ];
    page = await openPage({ before: `ENV = { taskPipeline: ${JSON.stringify(steps)} }` });
    const { pipeline } = page.state();
    if (!pipeline.ok) throw new Error(pipeline.error.code);
    expect(JSON.parse(page.agent('text', pipeline.handle, 0, 1e6)!)).toEqual(steps);
  });

  it('has the source of a condition that is a function', async () => {
    page = await openPage({
      before: `ENV = { taskPipeline: [{ type: 'if', conditions: [{ condition: (c) => c.a, functions: [] }] }] }`,
    });
    const { pipeline } = page.state();
    if (!pipeline.ok) throw new Error(pipeline.error.code);
    expect(page.agent('text', pipeline.handle, 0, 1e6)).toContain('"condition":"(c) => c.a"');
  });
});

describe('a page that replaces built-ins after the agent was installed', () => {
  const sabotage = `
    boom = () => { throw new Error('touched') };
    JSON.stringify = JSON.parse = Object.keys = Object.defineProperty = Reflect.apply = Array.isArray = boom;
    Promise = function () { throw 1 };
    Array.prototype.map = Array.prototype.push = Array.prototype.slice = Array.prototype.join = Array.prototype[Symbol.iterator] = boom;
    String.prototype.slice = String.prototype.split = String.prototype.indexOf = RegExp.prototype.exec = boom;
    Map.prototype.get = Map.prototype.set = WeakMap.prototype.get = Function.prototype.call = Function.prototype.apply = Function.prototype.bind = boom;
    Object.prototype.toJSON = String.prototype.toJSON = Array.prototype.toJSON = () => 'forged';
    Error.prototype.toString = Date.now = setTimeout = boom; Symbol = undefined;`;

  it('has its changes reported like any others', async () => {
    page = await openPage({ before: `map = new Map([[1, 2]]); ${bareRuntime('return { answer: [1, "two", map] }')}` });
    page.run(sabotage);
    expect(page.state()).toMatchObject({ platform: 'ready', env: { appId: 1 } });
    const events = await page.finish('{"a":[1,{"b":"c"}]}');
    expect(events.map((event) => event.kind)).toEqual(['run-started', 'run-ended']);
    expect(events[0]).toMatchObject({ payload: { t: 'object', entries: [['a', { t: 'array', length: 2 }]] } });
    expect(events[1]).toMatchObject({
      state: 'completed',
      result: { t: 'object', entries: [['answer', { t: 'array', length: 3 }]] },
    });
  });

  it('doesn’t hide an error that it throws', async () => {
    page = await openPage({ before: bareRuntime('null.x') });
    page.run(sabotage);
    expect((await page.finish()).at(-1)).toMatchObject({ state: 'failed', error: { errorType: 'TypeError' } });
  });
});

describe('the agent in the document', () => {
  it('stays the same one when it is installed twice', async () => {
    page = await openPage();
    const { documentId } = page.state();
    page.run(await agentSource());
    expect(page.state().documentId).toBe(documentId);
  });

  it('adds no enumerable property and no globals', async () => {
    page = await openPage({ agent: false });
    const before = page.run('Object.keys(window).length');
    page.run(await agentSource());
    expect(page.run('Object.keys(window).length')).toBe(before);
  });

  it('restores console, fetch, and the URL when the run ends', async () => {
    page = await openPage({
      before: `${bareRuntime('during = [console.log !== was.log, location.search]; throw 1')}; was = { log: console.log, fetch: window.fetch, href: location.href }`,
    });
    await page.finish('{"a":1}');
    expect(page.run('JSON.stringify(during)')).toBe('[true,"?html&payload=%7B%22a%22%3A1%7D"]');
    expect(page.run('console.log === was.log && window.fetch === was.fetch && location.href === was.href')).toBe(true);
  });

  it('doesn’t restore what the page changed during the run', async () => {
    page = await openPage({
      before: bareRuntime('console.log = mine = () => {}; history.replaceState(null, "", "?other")'),
    });
    await page.finish();
    expect(page.run('console.log === mine && location.search')).toBe('?other');
  });

  it('watches the console without a trace: same this, arguments, name, result, and errors', async () => {
    page = await openPage({
      before: `${bareRuntime('seen = [console.log.name, console.log.length, console.log.call(self_, 1, 2)]; console.warn("x")')}
        self_ = {}; console.log = function log(a, b) { return this === self_ && a + b }; console.warn = () => { throw new Error('from warn') }`,
    });
    const end = (await page.finish()).at(-1);
    expect(page.run('JSON.stringify(seen)')).toBe('["log",2,3]');
    expect(end).toMatchObject({ state: 'failed', error: { errorMessage: 'from warn' } });
  });

  it('numbers its events without a gap', async () => {
    page = await openPage({ before: observedRuntime });
    await page.finish();
    await page.finish();
    expect(page.events().map((event: AgentEvent) => event.n)).toEqual(page.events().map((_, i) => i + 1));
  });

  it('keeps a bounded log, and reports how many events it dropped', async () => {
    page = await openPage({ before: bareRuntime('for (let i = 0; i < 4000; i++) console.log("x".repeat(8000))') });
    page.agent('start', 'r', '{}', 'Platform');
    await page.until(() => page.agent('read', 0, 1, 'Platform').lastSeq === 4_002);
    const { dropped, events } = page.agent('read', 0, 1, 'Platform');
    expect(dropped).toBeGreaterThan(0);
    expect(events).toMatchObject([{ n: dropped + 1 }]);
  });

  it('never uses the page’s iterators, which might never end', async () => {
    page = await openPage({
      before: `map = new Map([[1, 2]]); set = new Set([1]);
        ENV = { appId: 1, taskPipeline: [{ functionPackage: 'f', settings: { to: ['a', 'b'] } }] };
        Platform = { Functions: { list: () => [{ name: 'f', url: 'http://localhost/f.js' }] }, App: { Actions: { Pipeline: { features: ['observer', 'signal'], async run({ observer }) {
          const context = { list: [{ id: 1 }], map, set, bytes: new Uint8Array(2) };
          for (let i = 0; i < 3; i++) {
            const info = { path: '/0', iteration: [i], kind: 'function', name: 'f', step: ENV.taskPipeline[0], context };
            observer.before(info);
            context.list[0].id++; context.list.push({ i }); console.log(context, [1]);
            observer.after(info, { state: 'completed', value: context });
          }
          throw Object.assign(new Error('failed'), { path: '/0', iteration: [2], list: [1] });
        } } } } };`,
    });
    page.run(`used = 0;
      Object.getPrototypeOf([])[Symbol.iterator] = Object.getPrototypeOf('')[Symbol.iterator] = function () {
        used++;
        return { next: () => ({ done: used > 1000, value: [] }) };
      }`);
    const events = await page.finish('{"a":[1,2]}');
    expect(page.state()).toMatchObject({ platform: 'ready', functions: [{ name: 'f' }], pipeline: { ok: true } });
    expect(events.at(-1)).toMatchObject({ kind: 'run-ended', state: 'failed' });
    expect(events.filter(({ kind }) => kind === 'step-ended')).toHaveLength(3);
    expect(page.run('used')).toBe(0);
  });

  it('has no code that iterates, except for what doesn’t run if built-ins were replaced, and for the engine', async () => {
    const source = await agentSource();
    expect(source).toMatch(MODULE_OF_ENGINE);
    expect(iterations(source.replaceAll(MODULE_OF_ENGINE, ''))).toEqual([]);
    expect(iterations('for (const a of b) f(...a); const [c] = b; [...b]; Promise.all(b); new Map(b)')).toHaveLength(6);
  });
});

/** A module of the engine or the debugger in a bundle, or one that only they use, up to the next module. */
const MODULE_OF_ENGINE =
  /^ *\/\/ lib\/(pipeline|debugging|shared\/json-pointer)[\s\S]*?(?=^ *\/\/ (?!lib\/(pipeline|debugging|shared\/json-pointer))lib\/)/gm;

/** Iterating calls an iterator of the page. So do these built-ins, unless they have no arguments. */
const ITERATING =
  /^(Map|Set|WeakMap|WeakSet|MapOf|SetOf|WeakMapOf|URLSearchParams|from|fromEntries|groupBy|all|allSettled|any|race)$/;

interface Node {
  type: string;
  [key: string]: unknown;
}

/** The kinds of syntax in a script that iterate. */
function iterations(script: string): string[] {
  const found: string[] = [];
  visit(parseAst(script) as unknown as Node);
  return found;

  function visit(node: Node): void {
    if (isIterating(node)) found.push(node.type);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
        if (isNode(child) && !(node.type === 'ObjectExpression' && child.type === 'SpreadElement')) visit(child);
  }
}

function isIterating(node: Node): boolean {
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const callee = node.callee as Node;
    const name = ((callee.property ?? callee) as Node).name;
    return typeof name === 'string' && ITERATING.test(name) && (node.arguments as unknown[]).length > 0;
  }
  return ['ForOfStatement', 'ArrayPattern', 'SpreadElement'].includes(node.type) || node.delegate === true;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;
