/** A page to test the agent in: a document with its own built-ins, the real agent bundle, and a way to evaluate. */
import vm from 'node:vm';
import { build } from 'esbuild';
import { Window } from 'happy-dom';
import { AGENT_KEY, type AgentPort } from '../../../../../lib/extension/inspector/agent-protocol.ts';
import type { AgentEvent, Engine, PageState, RunAgent } from '../../../../../lib/extension/inspector/contract.ts';
import { parseBatch } from '../../../../../lib/extension/inspector/run/parse.ts';

const bundles = new Map<string, Promise<string>>();

/** The text of a classic script, bundled for a page. `entry` is its file, or its text. */
export function bundle(entry: { file: string } | { text: string }): Promise<string> {
  const key = JSON.stringify(entry);
  const bundled =
    bundles.get(key) ??
    build({
      ...('file' in entry
        ? { entryPoints: [entry.file] }
        : { stdin: { contents: entry.text, resolveDir: process.cwd(), loader: 'ts' } }),
      bundle: true,
      write: false,
      format: 'iife',
      target: 'chrome120',
    }).then((result) => result.outputFiles[0]!.text);
  bundles.set(key, bundled);
  return bundled;
}

/** The agent as the extension ships it, but not minified. */
export const agentSource = (): Promise<string> =>
  bundle({ text: "import { installAgent } from './lib/extension/inspector/agent/install.ts'; installAgent();" });

/** The prover, likewise. */
export const proverSource = (): Promise<string> =>
  bundle({
    text: "import { installProver } from './lib/extension/inspector/migrate/agent/prover.ts'; installProver();",
  });

export interface Page {
  window: Window;
  /** Runs code as a classic script of the page. */
  run(code: string): unknown;
  evaluate(expression: string): Promise<string>;
  port(): AgentPort;
  /** Hands over `() => Platform`, as each evaluation of the panel does. */
  lookUp(): void;
  /** Calls the agent's run part. */
  agent: <M extends keyof RunAgent>(method: M, ...args: Parameters<RunAgent[M]>) => ReturnType<RunAgent[M]>;
  state(): PageState;
  /** Every event so far, after the one with this number. */
  events(after?: number): AgentEvent[];
  /** Runs the page's pipeline and resolves with the run's events once it has ended. */
  finish(payload?: string, engine?: Engine): Promise<AgentEvent[]>;
  /** Resolves once the condition is true; it is checked after each task of the page. */
  until(condition: () => boolean): Promise<void>;
  close(): Promise<void>;
}

/** @param before script of the page that runs before the agent is installed */
export async function openPage({
  url = 'http://localhost/v1/apps/1/tasks/2/compile?html',
  before = '',
  agent = true,
} = {}): Promise<Page> {
  const window = new Window({
    url,
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  });
  // happy-dom’s is the process’s own, so a page that replaces its `now` would do so for all tests.
  const ownPerformance = Object.assign(Object.create(performance), { now: () => performance.now() });
  Object.defineProperty(window, 'performance', { value: ownPerformance, configurable: true });
  const context = window as unknown as vm.Context;
  const run = (code: string): unknown => vm.runInContext(code, context);
  run(`lines = []; console = { log(...args) { lines.push(args) }, info() {}, warn() {}, error() {}, debug() {} };`);
  run(before);
  if (agent) run(await agentSource());
  let runs = 0;
  const port = () => run(`this[${JSON.stringify(AGENT_KEY)}]`) as AgentPort;
  const page: Page = {
    window,
    run,
    evaluate: async (expression) => run(expression) as string,
    port,
    lookUp: () => void run(`this[${JSON.stringify(AGENT_KEY)}].setLookUp('Platform', () => Platform)`),
    agent: ((method: keyof RunAgent, ...args: unknown[]) =>
      JSON.parse(port().call('run', method, args))) as Page['agent'],
    state: () => page.agent('state', 'Platform'),
    events(after = 0) {
      const batch = parseBatch(page.agent('read', after, 1e9, 'Platform'));
      if (!batch || batch.invalid > 0) throw new Error('The agent’s response is invalid.');
      // Without the properties that are undefined.
      return JSON.parse(JSON.stringify(batch.events)) as AgentEvent[];
    },
    async finish(payload = '{}', engine) {
      const id = `run-${++runs}`;
      const { lastSeq } = page.agent('read', 0, 1, 'Platform');
      const started = page.agent('start', id, payload, 'Platform', engine ? { engine } : {});
      if (!started.ok) throw new Error(started.error.code);
      const events = () => page.events(lastSeq).filter((event) => event.runId === id);
      await page.until(() => events().some((event) => event.kind === 'run-ended'));
      return events();
    },
    async until(condition) {
      for (let i = 0; i < 500; i++) {
        if (condition()) return;
        await new Promise((resolve) => setTimeout(resolve, i < 20 ? 0 : 5));
      }
      throw new Error('The condition never became true.');
    },
    close: () => window.happyDOM.close(),
  };
  return page;
}

/** A runtime that only has `Pipeline.run`; `body` is the body of an async function. */
export function bareRuntime(body: string): string {
  return `ENV = { appId: 1, taskId: 2, organizationId: 3, mode: 'preview', taskPipeline: [] };
    Platform = { App: { Actions: { Pipeline: { run: async function () { ${body} } } } } };`;
}

/** A runtime that reports two plain steps and a loop to an observer, as the engine does. */
export const observedRuntime = `
  ENV = { appId: 1, taskId: 2, organizationId: 3, mode: 'preview', taskPipeline: [{ functionPackage: 'set' }, { type: 'loop', range: { from: 1, to: 3 }, functions: [{ functionPackage: 'add' }] }] };
  fns = {
    set(settings, context) { context.list = [1]; context.sum = 0; console.log('setting', context); return 'set' },
    add(settings, context) { context.sum += context.currentItem; context.list.push(context.currentItem); return context.sum },
  };
  Platform = { Functions: { get: (name) => fns[name], list: () => Object.keys(fns).map((name) => ({ name, url: 'http://localhost/' + name + '.js' })) }, App: { Actions: { Pipeline: { features: ['observer', 'signal'], async run({ observer, signal } = {}) {
    const context = JSON.parse(new URLSearchParams(location.search).get('payload'));
    async function step(path, iteration, kind, name, step, body) {
      if (signal && signal.aborted) throw Object.assign(new Error('The run was stopped.'), { code: 'ABORTED', path });
      const info = { path, iteration, kind, name, step, context };
      await observer?.before(info);
      try {
        const value = await body();
        observer?.after(info, { state: 'completed', value });
        return value;
      } catch (cause) {
        const error = cause && cause.code ? cause : Object.assign(new Error('failed'), { name: 'PipelineError', code: 'STEP_FAILED', path, iteration, cause });
        observer?.after(info, { state: 'failed', error });
        throw error;
      }
    }
    const [first, loop] = ENV.taskPipeline;
    await step('/0', [], 'function', 'set', first, () => fns.set(first.settings, context));
    let last;
    await step('/1', [], 'loop', 'loop', loop, async () => {
      for (let i = 1; i <= 3; i++) {
        context.currentItem = i;
        last = await step('/1/functions/0', [i - 1], 'function', 'add', loop.functions[0], () => fns.add({}, context));
      }
      delete context.currentItem;
    });
    return last;
  } } } } };`;
