/** Tests the panel's side of the run inspector, over the real agent and over pages that forge it. */
import { afterEach, describe, expect, it } from 'vitest';
import { AGENT_KEY, AGENT_PROTOCOL } from '../../../../lib/extension/inspector/agent-protocol.ts';
import {
  AgentConnection,
  type InspectorEvent,
  type InspectorTransport,
  RunInspectorClient,
} from '../../../../lib/extension/inspector/index.ts';
import { PageApi } from '../../../../lib/extension/inspector/api/page-api.ts';
import { parseBatch } from '../../../../lib/extension/inspector/run/parse.ts';
import { parseBatch as parseOAuth2Batch } from '../../../../lib/extension/inspector/oauth2/parse.ts';
import { CodedError } from '../../../../lib/platform-api/index.ts';
import { agentSource, bareRuntime, observedRuntime, openPage } from './support/page.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An inspector of a tab whose page can be replaced, and the events that it emitted. */
async function inspect(before: string, transport: Partial<InspectorTransport> = {}, intervals = { busy: 2, idle: 10 }) {
  const tab = {
    page: await openPage({ before, agent: false }),
    /** Lengths of the page’s responses. */ responseLengths: [] as number[],
    async go(next: string, url?: string) {
      this.page = await openPage({ before: next, agent: false, url });
      closing.push(() => this.page.close());
    },
  };
  closing.push(() => tab.page.close());
  const events: InspectorEvent[] = [];
  const evaluate = async (expression: string): Promise<string> => {
    const response = await tab.page.evaluate(expression);
    tab.responseLengths.push(response.length);
    return response;
  };
  const inspector = new RunInspectorClient(new AgentConnection({ evaluate, ...transport }, agentSource), intervals);
  inspector.subscribe((event) => events.push(event));
  closing.push(() => inspector.dispose());
  const until = (holds: (event: InspectorEvent) => boolean) => tab.page.until(() => events.some(holds));
  return { tab, events, inspector, until };
}
/** An inspector that only evaluates. */
const inspectorOver = (evaluate: InspectorTransport['evaluate'], intervals?: { busy: number; idle: number }) =>
  new RunInspectorClient(new AgentConnection({ evaluate }, agentSource), intervals);
const kinds = (events: InspectorEvent[]) => events.map((event) => event.kind);

describe('the inspector', () => {
  it('installs the agent in a page without one, and describes the page', async () => {
    const { inspector, events } = await inspect(observedRuntime);
    const state = await inspector.attach();
    expect(state).toMatchObject({ ok: true, value: { platform: 'ready', tracing: 'observed' } });
    expect(events).toMatchObject([{ kind: 'page-changed', newDocument: true, state: { platform: 'ready' } }]);
  });

  it('finds a namespace that a script of the page declares, unless scripts can’t declare the name', async () => {
    const { inspector } = await inspect(
      `const Acme = { App: { Actions: { Pipeline: { run() {} } } } }; window.class = {};`,
    );
    expect(await inspector.attach('Acme')).toMatchObject({ value: { platform: 'ready' } });
    expect(await inspector.attach('class')).toMatchObject({ value: { platform: 'no-pipeline' } });
  });

  it('starts no run in another document than the one that it should run in', async () => {
    const { inspector, tab } = await inspect(observedRuntime);
    const state = await inspector.attach();
    const documentId = state.ok ? state.value.documentId : '';
    await tab.go(observedRuntime);
    expect(await inspector.start('{}', { documentId })).toMatchObject({
      ok: false,
      error: { code: 'PAGE_LEFT', message: 'Couldn’t run the action: the tab has another page now. Nothing was run.' },
    });
    expect(await inspector.attach()).toMatchObject({ ok: true, value: { run: null } });
  });

  describe('in a tab that has gone to another origin', () => {
    /** Its agent notes what it gets, and the source of who reads it. */
    const LISTENS = `heard = []; Object.defineProperty(globalThis, ${JSON.stringify(AGENT_KEY)}, {
      configurable: true, get: function f() { heard.push(String(f.caller)); return {
        protocol: ${AGENT_PROTOCOL}, setLookUp() {}, status: () => '{}',
        call: (...given) => { heard.push(JSON.stringify(given)); return 'null' } } } });`;

    it.each([
      ['a payload', {}],
      ['mocks', { debug: { mocks: [{ name: 'secret' }] as never } }],
      ['the recording of another run', { debug: { from: { recording: '{"secret":1}' } as never } }],
      ['in a document of its own', { documentId: 'other' }],
    ])('starts no run with %s there, which gets nothing of it', async (_, options) => {
      const { inspector, tab } = await inspect(observedRuntime, {}, { busy: 1e6, idle: 1e6 });
      await inspector.attach();
      await tab.go(LISTENS, 'http://other.test/');
      expect(await inspector.start('{"secret":1}', options)).toMatchObject({ error: { code: 'PAGE_LEFT' } });
      expect(tab.page.run('heard.join()')).not.toContain('secret');
    });

    it('applies no edited context there, and keeps no payload', async () => {
      const { inspector, tab } = await inspect(observedRuntime, { reload: () => {} }, { busy: 1e6, idle: 1e6 });
      await inspector.attach();
      await tab.go(LISTENS, 'http://other.test/');
      expect(await inspector.debugger.editContext(1, '{"secret":1}')).toMatchObject({ error: { code: 'PAUSE_GONE' } });
      expect(await inspector.reloadWithAgent('{"secret":1}')).toMatchObject({ error: { code: 'PAGE_LEFT' } });
      expect(tab.page.run('heard.join()')).toBe('');
    });

    it('calls none of its functions, and says that nothing was changed', async () => {
      const page = await openPage({ before: LISTENS, agent: false, url: 'http://other.test/' });
      closing.push(() => page.close());
      const api = new PageApi(new AgentConnection({ evaluate: page.evaluate }, agentSource));
      const target = { documentId: 'd', origin: 'http://localhost', appId: 1, namespace: 'Platform' };
      const change = { whether: 'the action was created', check: 'Check the list.' };
      const call = {
        path: 'App.Actions.create',
        args: ['secret'],
        limit: 1,
        task: 'create the action',
        change,
      } as const;
      const message = 'Couldn’t create the action: the tab has another page now. Nothing was changed.';
      expect(await api.call(target, call)).toMatchObject({ error: { code: 'PAGE_LEFT', message } });
      expect(page.run('heard.join()')).toBe('');
    });
  });

  it('emits the events of a run in order, each once', async () => {
    const { inspector, events, until } = await inspect(observedRuntime);
    await inspector.attach();
    const started = await inspector.start('{"a":1}');
    await until((event) => event.kind === 'run-ended');
    const runEvents = events.filter((event) => 'n' in event);
    expect(runEvents.map((event) => event.n)).toEqual(runEvents.map((_, i) => i + 1));
    expect(runEvents.every((event) => started.ok && event.runId === started.value.runId)).toBe(true);
    await inspector.start('{}');
    await until((event) => event.kind === 'run-ended' && started.ok && event.runId !== started.value.runId);
    expect(kinds(events).filter((kind) => kind === 'run-ended')).toHaveLength(2);
  });

  it('reads a large trace in batches, without a gap', async () => {
    const { inspector, events, until } = await inspect(
      bareRuntime('for (let i = 0; i < 5000; i++) console.log("x".repeat(500), i)'),
    );
    await inspector.attach();
    await inspector.start('{}');
    await until((event) => event.kind === 'run-ended');
    expect(events.filter((event) => event.kind === 'console')).toHaveLength(5_000);
    expect(kinds(events)).not.toContain('events-dropped');
  });

  it('emits a run that was running before it was attached from its start', async () => {
    const { inspector, tab, events, until } = await inspect(
      bareRuntime('console.log("first"); await new Promise((go) => { release = go })'),
    );
    const first = inspectorOver((expression) => tab.page.evaluate(expression));
    await first.start('{}');
    first.dispose();
    await tab.page.until(() => tab.page.run('typeof release') === 'function');
    await inspector.attach();
    tab.page.run('release()');
    await until((event) => event.kind === 'run-ended');
    expect(kinds(events)).toEqual(['page-changed', 'run-started', 'console', 'run-ended']);
  });

  it.each([
    ['reload', undefined, 'reload'],
    ['navigation', 'http://localhost/elsewhere', 'navigation'],
  ])('emits a run as lost after a %s', async (_name, url, reason) => {
    const { inspector, tab, events, until } = await inspect(bareRuntime('await new Promise(() => {})'));
    await inspector.attach();
    const started = await inspector.start('{}');
    await until((event) => event.kind === 'run-started');
    await tab.go(bareRuntime('return 2'), url);
    await until((event) => event.kind === 'run-lost');
    await until((event) => event.kind === 'page-changed' && event.newDocument && events.indexOf(event) > 0);
    expect(events.at(-2)).toMatchObject({ kind: 'run-lost', reason, runId: started.ok && started.value.runId });
    expect(events.at(-1)).toMatchObject({ kind: 'page-changed' });
    await inspector.start('{}');
    await until((event) => event.kind === 'run-ended');
    expect(events.at(-1)).toMatchObject({ state: 'completed', result: { v: 2 } });
  });

  it('emits a run that leaves the page at once as started and as lost', async () => {
    const { inspector, tab, events, until } = await inspect(
      bareRuntime('await new Promise(() => {})'),
      {},
      { busy: 1e6, idle: 1e6 },
    );
    await inspector.attach();
    const started = await inspector.start('{}');
    await tab.go('');
    await inspector.attach();
    await until((event) => event.kind === 'run-lost');
    expect(kinds(events)).toEqual(['page-changed', 'run-started', 'run-lost', 'page-changed']);
    expect(events[2]).toMatchObject({ runId: started.ok && started.value.runId });
  });

  it('repeats no events of a document that the browser shows again', async () => {
    const { inspector, tab, events, until } = await inspect(
      bareRuntime('await new Promise((go) => { release = go }); return 1'),
    );
    await inspector.attach();
    await inspector.start('{}');
    await until((event) => event.kind === 'run-started');
    await tab.page.until(() => tab.page.run('typeof release') === 'function');
    const first = tab.page;
    await tab.go(bareRuntime(''));
    await until((event) => event.kind === 'run-lost');
    tab.page = first;
    first.run('release()');
    await until((event) => event.kind === 'run-ended');
    expect(kinds(events).filter((kind) => kind !== 'page-changed')).toEqual(['run-started', 'run-lost', 'run-ended']);
  });

  it('doesn’t take a run of a new document for one of the previous document', async () => {
    const { inspector, tab, events, until } = await inspect(bareRuntime('return 1'), {}, { busy: 2, idle: 1e6 });
    await inspector.attach();
    await tab.go(bareRuntime('return 2'));
    expect(await inspector.start('{}')).toMatchObject({ ok: true });
    await until((event) => event.kind === 'run-ended');
    expect(kinds(events)).toEqual(['page-changed', 'page-changed', 'run-started', 'run-ended']);
  });

  it('emits a page that changed without a new document', async () => {
    const { inspector, tab, until } = await inspect('');
    await inspector.attach();
    tab.page.run(observedRuntime);
    await until(
      (event) =>
        event.kind === 'page-changed' &&
        !event.newDocument &&
        event.state.platform === 'ready' &&
        event.state.pipeline.ok,
    );
    tab.page.run('ENV.taskPipeline = "x"');
    await until((event) => event.kind === 'page-changed' && !event.state.pipeline.ok);
  });

  it('stops a run while it reads events that never end', async () => {
    const tab: { page?: Awaited<ReturnType<typeof openPage>> } = {};
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const { promise: reading, resolve: reads } = Promise.withResolvers<void>();
    let running = false;
    const evaluate: InspectorTransport['evaluate'] = async (expression) => {
      const response = await tab.page!.evaluate(expression);
      if (!running || !expression.includes('agent.call("run","read"')) return response;
      reads();
      await gate;
      return response;
    };
    const { inspector, tab: opened, until } = await inspect(bareRuntime('await new Promise(() => {})'), { evaluate });
    tab.page = opened.page;
    await inspector.attach();
    await inspector.start('{}');
    running = true;
    await reading;
    expect(await inspector.stop()).toEqual({ ok: true, value: true });
    openGate();
    await until((event) => event.kind === 'run-ended');
  });

  it('stops a run, and returns false when there is none', async () => {
    const { inspector, events, until } = await inspect(bareRuntime('await new Promise(() => {})'));
    await inspector.attach();
    expect(await inspector.stop()).toEqual({ ok: true, value: false });
    await inspector.start('{}');
    expect(await inspector.start('{}')).toMatchObject({ ok: false, error: { code: 'RUN_IN_PROGRESS' } });
    expect(await inspector.stop()).toEqual({ ok: true, value: true });
    await until((event) => event.kind === 'run-ended');
    expect(events.at(-1)).toMatchObject({ state: 'stopped', goesOn: true });
  });

  it('emits once that the page doesn’t respond, and once that it recovered', async () => {
    let refuse: CodedError | null = null;
    const state = await inspect(observedRuntime);
    state.inspector.dispose();
    const evaluate: InspectorTransport['evaluate'] = (expression) =>
      refuse ? Promise.reject(refuse) : state.tab.page.evaluate(expression);
    const events: InspectorEvent[] = [];
    const inspector = inspectorOver(evaluate, { busy: 1, idle: 1 });
    closing.push(() => inspector.dispose());
    inspector.subscribe((event) => events.push(event));
    await inspector.attach();
    refuse = new CodedError({ code: 'PAGE_BUSY', message: 'busy' });
    await state.tab.page.until(() => events.some((event) => event.kind === 'page-lost'));
    expect(await inspector.start('{}')).toMatchObject({ ok: false, error: { code: 'PAGE_BUSY' } });
    await new Promise((resolve) => setTimeout(resolve, 10));
    refuse = null;
    await state.tab.page.until(() => events.some((event) => event.kind === 'page-recovered'));
    await state.tab.page.until(() => events.length === 4);
    expect(kinds(events)).toEqual(['page-changed', 'page-lost', 'page-recovered', 'page-changed']);
    expect(events[3]).toMatchObject({ newDocument: false, state: { platform: 'ready' } });
  });

  it('reads the pipeline, long texts, and entries, but nothing by a handle of another document', async () => {
    const { inspector, tab } = await inspect(
      `${bareRuntime('return "x".repeat(2e6) + "end"')}; ENV.taskPipeline = Array.from({ length: 10000 }, (_, i) => ({ functionPackage: '</script>' + i, settings: { text: 'y'.repeat(100) } }))`,
    );
    const steps = await inspector.pipeline();
    expect(steps.ok && steps.value).toHaveLength(10_000);
    await inspector.attach();
    const ended = new Promise<Extract<InspectorEvent, { kind: 'run-ended' }>>((resolve) =>
      inspector.subscribe((event) => event.kind === 'run-ended' && resolve(event)),
    );
    await inspector.start('{}');
    const { result } = await ended;
    if (result?.t !== 'string') throw new Error('no result');
    const text = await inspector.text(result.handle!);
    expect(text.ok && text.value.slice(-4)).toBe('xend');
    expect(text.ok && text.value.length).toBe(2_000_003);
    await tab.go(bareRuntime(''));
    expect(await inspector.text(result.handle!)).toMatchObject({ ok: false, error: { code: 'HANDLE_GONE' } });
    expect(await inspector.expand(result.handle!, 0, 10)).toMatchObject({ ok: false, error: { code: 'HANDLE_GONE' } });
  });

  it('rejects a payload that the platform would reject, before the page sees it', async () => {
    const { inspector } = await inspect(observedRuntime);
    expect(await inspector.start('{"a":')).toMatchObject({ ok: false, error: { code: 'PAYLOAD_NOT_JSON' } });
    expect(await inspector.start('[]')).toMatchObject({ ok: false, error: { code: 'PAYLOAD_NOT_OBJECT' } });
  });

  it('opens the script of a function, or returns why it can’t', async () => {
    const opened: string[] = [];
    const { inspector } = await inspect(observedRuntime, {
      openResource: async (url, line) => (opened.push(`${url}:${line}`), url.includes('set')),
    });
    expect(inspector.capabilities).toEqual({ source: true, reload: false });
    expect(await inspector.openSource('set')).toEqual({ ok: true, value: null });
    expect(opened).toEqual(['http://localhost/set.js:0']);
    expect(await inspector.openSource('add')).toMatchObject({ error: { code: 'SOURCE_NOT_FOUND' } });
    expect(await inspector.openSource('none')).toMatchObject({ error: { code: 'SOURCE_UNKNOWN' } });
    expect(await (await inspect(observedRuntime)).inspector.openSource('set')).toMatchObject({
      error: { code: 'SOURCE_UNSUPPORTED' },
    });
  });

  it('sets a breakpoint by the console command debug, again after a reload, or returns that there is no such command', async () => {
    const withCommand = `${observedRuntime}; stopped = []; debug = (fn) => stopped.push('+' + fn.name); undebug = (fn) => stopped.push('-' + fn.name)`;
    const { inspector, tab, until, events } = await inspect(withCommand);
    await inspector.attach();
    expect(await inspector.setBreakpoint('set', true)).toEqual({ ok: true, value: null });
    expect(await inspector.setBreakpoint('add', true)).toEqual({ ok: true, value: null });
    expect(await inspector.setBreakpoint('add', false)).toEqual({ ok: true, value: null });
    expect(await inspector.setBreakpoint(`"];}alert(1)//</script>\u2028`, true)).toMatchObject({
      error: { code: 'FUNCTION_UNKNOWN' },
    });
    expect([...(tab.page.run('stopped') as string[])]).toEqual(['+set', '+add', '-add']);
    await tab.go(withCommand);
    await until((event) => event.kind === 'page-changed' && event.newDocument && events.indexOf(event) > 0);
    await inspector.attach();
    expect([...(tab.page.run('stopped') as string[])]).toEqual(['+set']);
    await tab.go(observedRuntime);
    expect(await inspector.setBreakpoint('set', true)).toMatchObject({ error: { code: 'BREAK_UNSUPPORTED' } });
  });

  it('builds expressions in which no data can end a string, a line, or a script', async () => {
    const requests: string[] = [];
    const { inspector, tab } = await inspect(bareRuntime(''), {});
    const other = inspectorOver((expression) => (requests.push(expression), tab.page.evaluate(expression)));
    closing.push(() => other.dispose());
    await inspector.attach();
    const hostile = '"];}</script><!--\u2028\u2029`${1}';
    await other.setBreakpoint(hostile, true);
    await other.start(JSON.stringify({ [hostile]: hostile }));
    // The breakpoint, the page, its events, and the start.
    expect(requests).toHaveLength(4);
    for (const expression of requests) expect(expression).not.toMatch(/[<\u2028\u2029]/);
  });

  it('reloads with the agent in place, so that calls of functions are traced', async () => {
    let injected = '';
    const { inspector, tab, until, events } = await inspect(bareRuntime(''), {
      reload: (script) => void (injected = script),
    });
    await inspector.attach();
    expect(await inspector.reloadWithAgent()).toEqual({ ok: true, value: null });
    await tab.go(`${injected}
      Platform = { Functions: { register(name, fn) { this[name] = fn } }, App: { Actions: { Pipeline: { run: () => Platform.Functions.one({}, {}) } } } };
      Platform.Functions.register('one', () => 1);`);
    await until((event) => event.kind === 'page-changed' && event.state.tracing === 'wrapped');
    await inspector.start('{}');
    await until((event) => event.kind === 'run-ended');
    expect(kinds(events).slice(-4)).toEqual(['run-started', 'step-started', 'step-ended', 'run-ended']);
  });
});

describe('a page that forges the agent', () => {
  const forged = (call: string) =>
    `Object.defineProperty(window, 'platform-devtools.agent', { value: { protocol: ${AGENT_PROTOCOL}, call(part, method, args) { ${call} }, status: () => '{"now":0,"isHeld":false,"pausedStack":""}', registeredFunction() { throw 1 } } })`;
  it.each([
    ['no JSON', 'return "<"', 'PAGE_NONSENSE'],
    ['JSON of another form', 'return "{}"', 'PAGE_NONSENSE'],
    ['an object', 'return {}', 'PAGE_NONSENSE'],
    ['an exception', 'throw new Error("mine")', 'PAGE_EXCEPTION'],
  ])('is reported by a code when it returns %s', async (_name, call, code) => {
    const { inspector, tab } = await inspect(forged(call));
    const evaluate: InspectorTransport['evaluate'] = async (expression) => {
      try {
        const response: unknown = tab.page.run(expression);
        return typeof response === 'string' ? response : 'not JSON';
      } catch (thrown) {
        throw new CodedError({ code: 'PAGE_EXCEPTION', message: String(thrown) });
      }
    };
    inspector.dispose();
    const other = inspectorOver(evaluate);
    closing.push(() => other.dispose());
    expect(await other.attach()).toMatchObject({ ok: false, error: { code } });
    expect(await other.start('{}')).toMatchObject({ ok: false, error: { code } });
  });

  const stateWith = (pipeline: string) =>
    `{"protocol":1,"documentId":"d","fingerprint":"","url":"nowhere","ready":true,"platform":"ready","tracing":"bare","env":null,"pipeline":${pipeline},"functions":[],"run":null,"lastSeq":0}`;
  const state = stateWith('{"ok":false,"error":{"code":"X","message":"x"}}');

  it('can’t change the URL that is shown, which selects whose token is used', async () => {
    const { inspector } = await inspect(
      forged(
        `return ${JSON.stringify(state.replace('nowhere', 'https://api.example.com/v1/apps/1/tasks/2/compile?html'))}`,
      ),
    );
    expect(await inspector.attach()).toMatchObject({
      ok: true,
      value: { url: 'http://localhost/v1/apps/1/tasks/2/compile?html' },
    });
  });

  it('can’t keep the inspector from responding by events that never end', async () => {
    const { inspector, events, tab } = await inspect(
      forged(
        `if (method === 'state') return ${JSON.stringify(state)}; n = (window.n || 0) + 1; return '{"documentId":"d","events":[{"n":' + n + ',"runId":"r","at":0,"kind":"console","step":null,"level":"log","args":[]}],"lastSeq":9007199254740991,"dropped":0,"fingerprint":""}'`,
      ),
    );
    await inspector.attach();
    await tab.page.until(() => (tab.page.run('window.n') as number) > 10);
    expect(await inspector.attach()).toMatchObject({ ok: true });
    // The page still works with them afterward.
    const before = events.length;
    await tab.page.until(() => events.length > before);
  });

  it('gets a response of 70 MB rejected before it leaves the page', async () => {
    const { inspector, tab } = await inspect(
      forged(`return ${JSON.stringify(state)}.replace('nowhere', 'x'.repeat(7e7))`),
    );
    expect(await inspector.attach()).toEqual({
      ok: false,
      error: {
        code: 'PAGE_ANSWER_TOO_LARGE',
        message: 'The page’s response is limited to 4,194,304 characters. This one has more.',
        hint: expect.stringMatching(/^Reload the page/),
      },
    });
    expect(Math.max(...tab.responseLengths)).toBeLessThan(100);
  });

  it('gets no response out of the page that isn’t a string', async () => {
    const { inspector, tab } = await inspect(forged('return new Array(1e6).fill("x")'));
    expect(await inspector.expand(1, 0, 10)).toMatchObject({ ok: false, error: { code: 'PAGE_NONSENSE' } });
    expect(tab.responseLengths).toEqual([0]);
  });

  it('gets a piece of text rejected that is longer than requested', async () => {
    const { inspector } = await inspect(forged("return JSON.stringify('x'.repeat(500001))"));
    expect(await inspector.text(1)).toMatchObject({ ok: false, error: { code: 'PAGE_NONSENSE' } });
  });

  it('gets a batch rejected with more than a thousand invalid events', async () => {
    const reading = (events: number) =>
      parseBatch({
        documentId: 'd',
        events: Array.from({ length: events }, () => ({})),
        lastSeq: events,
        dropped: 0,
        fingerprint: '',
      });
    expect({ invalid: reading(1_000)?.invalid, reading: reading(1_001) }).toEqual({ invalid: 1_000, reading: null });
    const flows = (events: number) =>
      parseOAuth2Batch({
        documentId: 'd',
        events: Array.from({ length: events }, () => ({})),
        lastSeq: events,
        dropped: 0,
        fingerprint: '',
      });
    expect({ invalid: flows(1_000)?.invalid, flows: flows(1_001) }).toEqual({ invalid: 1_000, flows: null });
  });

  /** A real agent, except for the size of its events. */
  async function withEvents(...sizes: number[]) {
    const event = (n: number) => `{"n":${n},"runId":"r","at":0,"kind":"console","step":null,"level":"log","args":[]}`;
    const texts = sizes.map((size, index) => `'${event(index + 1)}' + ' '.repeat(${size})`);
    const inspected = await inspect(
      forged(`
      if (method === 'state') return ${JSON.stringify(state)};
      const texts = [${texts.join(', ')}], [after, chars] = args;
      let text = '';
      for (let n = after; n < texts.length && (text === '' || text.length < chars); n++) text += (text && ',') + texts[n];
      return '{"documentId":"d","events":[' + text + '],"lastSeq":' + texts.length + ',"dropped":0,"fingerprint":""}';`),
    );
    await inspected.inspector.attach();
    await inspected.until((one) => one.kind === 'console' && one.n === sizes.length);
    return inspected.events.flatMap((one): (number | InspectorEvent)[] =>
      one.kind === 'page-changed' ? [] : one.kind === 'console' ? [one.n] : [one],
    );
  }

  it('has its events read one by one when they are too large together', async () => {
    expect(await withEvents(300_000, 4_000_000, 0)).toEqual([1, 2, 3]);
  });

  it('has a single event skipped and counted that is too large', async () => {
    expect(await withEvents(0, 5_000_000, 0)).toEqual([1, { kind: 'events-dropped', count: 1 }, 3]);
  });

  it('has a text that never ends read up to a limit', async () => {
    const { inspector } = await inspect(
      forged(
        `if (method === 'state') return ${JSON.stringify(stateWith('{"ok":true,"steps":1,"handle":1,"bytes":2}'))}; if (method === 'text') return piece = window.piece || JSON.stringify('x'.repeat(500000)); return '{"documentId":"d","events":[],"lastSeq":0,"dropped":0,"fingerprint":""}'`,
      ),
    );
    expect(await inspector.text(1)).toMatchObject({ ok: false, error: { code: 'TEXT_TOO_LARGE' } });
    expect(await inspector.pipeline()).toMatchObject({ ok: false, error: { code: 'TEXT_TOO_LARGE' } });
  });

  it('can’t make the inspector loop or repeat events by endless numbers', async () => {
    const event = `{"n":5,"runId":"r","at":0,"kind":"console","step":null,"level":"log","args":[]}`;
    const { inspector, events, tab } = await inspect(
      forged(
        `calls = (window.calls || 0) + 1; return method === 'state' ? ${JSON.stringify(state)} : '{"documentId":"d","events":[${event},${event}],"lastSeq":9007199254740991,"dropped":0,"fingerprint":"' + calls + '"}'`,
      ),
    );
    await inspector.attach();
    await tab.page.until(() => (tab.page.run('calls') as number) > 10);
    expect(events.filter((each) => each.kind === 'console')).toHaveLength(1);
  });
});
