/** Owns a page to test the agent in: a document with built-ins of its own, the real agent bundle, and a way to evaluate. */
import vm from 'node:vm';
import { build } from 'esbuild';
import { Window } from 'happy-dom';
import type {
  Agent,
  AgentEvent,
  AgentPort,
  AgentReading,
  PageState,
} from '../../../../../lib/extension/inspector/contract.ts';
import { AGENT_KEY } from '../../../../../lib/extension/inspector/contract.ts';

let bundle: Promise<string> | null = null;

/** The agent as the extension ships it, apart from the minifier. */
export function agentSource(): Promise<string> {
  bundle ??= build({
    stdin: {
      contents: "import { installAgent } from './lib/extension/inspector/agent/install.ts'; installAgent();",
      resolveDir: process.cwd(),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
  }).then((result) => result.outputFiles[0]!.text);
  return bundle;
}

export interface Page {
  window: Window;
  /** Runs code as a classic script of the page. */
  run(code: string): unknown;
  evaluate(expression: string): Promise<string>;
  agent: <M extends keyof Agent>(method: M, ...args: Parameters<Agent[M]>) => ReturnType<Agent[M]>;
  state(): PageState;
  /** Every event so far, after the one with this number. */
  events(after?: number): AgentEvent[];
  /** Starts the page's pipeline and answers its events when it has ended. */
  finish(payload?: string): Promise<AgentEvent[]>;
  /** Resolves when `holds` does, asked again after each task of the page. */
  until(holds: () => boolean): Promise<void>;
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
    agent: ((method: keyof Agent, ...args: unknown[]) => JSON.parse(port().call(method, args))) as Page['agent'],
    state: () => page.agent('state', 'Platform'),
    events: (after = 0) => (page.agent('read', after, 1e9, 'Platform') as AgentReading).events,
    async finish(payload = '{}') {
      const id = `run-${++runs}`;
      const { last } = page.agent('read', 0, 1, 'Platform');
      const started = page.agent('start', id, payload, 'Platform');
      if (!started.ok) throw new Error(started.error.code);
      const mine = () => page.events(last).filter((event) => event.runId === id);
      await page.until(() => mine().some((event) => event.kind === 'run-ended'));
      return mine();
    },
    async until(holds) {
      for (let i = 0; i < 500; i++) {
        if (holds()) return;
        await new Promise((resolve) => setTimeout(resolve, i < 20 ? 0 : 5));
      }
      throw new Error('It never came true.');
    },
    close: () => window.happyDOM.close(),
  };
  return page;
}

/** A runtime that has `Pipeline.run` alone; `body` is the body of an async function. */
export function bareRuntime(body: string): string {
  return `ENV = { appId: 1, taskId: 2, organizationId: 3, mode: 'preview', taskPipeline: [] };
    Platform = { App: { Actions: { Pipeline: { run: async function () { ${body} } } } } };`;
}

/** A runtime that tells an observer of two plain steps and a loop, as the engine does. */
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
