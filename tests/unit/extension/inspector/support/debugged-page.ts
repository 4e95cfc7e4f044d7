/** A page whose runs are debugged through the agent, as a panel does it. */
import type { Recording } from '../../../../../lib/debugging/recording/format.ts';
import type { ResumeCommand } from '../../../../../lib/debugging/stepper/types.ts';
import type { AgentEvent, DebugOptions, Engine, Evaluated } from '../../../../../lib/extension/inspector/contract.ts';
import type { AgentDebugOptions } from '../../../../../lib/extension/inspector/run/debug-options.ts';
import { agentSource, bundle, openPage, type Page } from './page.ts';

export type EventOf<K extends AgentEvent['kind']> = Extract<AgentEvent, { kind: K }>;

export const breakAt = (path: string, more: object = {}) => ({
  settings: { breakpoints: [{ path, ...more }], pauseOnFailure: false },
});
export const onFailure = { settings: { breakpoints: [], pauseOnFailure: true } };

/** Scripts of the page. `calls` has the names of the functions that were called, in order. */
export const pageScripts = (pipeline: unknown, functions: string): string => `
  ENV = { appId: 1, mode: 'preview', taskPipeline: ${JSON.stringify(pipeline)} };
  calls = [];
  const functions = { ${functions} };
  for (const name of Object.keys(functions)) Platform.Functions.register(name, (settings, context) => {
    calls.push(name);
    return functions[name](settings, context);
  });`;

/** A runtime that reports nothing and can’t pause. It calls the functions of plain steps. */
export const plainRuntime = `
  registered = {};
  Platform = {
    Functions: { register(name, fn) { registered[name] = fn; }, get: (name) => registered[name] },
    App: { Actions: { Pipeline: { async run() {
      const context = JSON.parse(new URLSearchParams(location.search).get('payload'));
      let result;
      for (const { functionPackage: name, settings = {}, functions: nested = [] } of ENV.taskPipeline) try {
        result = await registered[name](settings, context) ?? result;
        for (const each of nested) result = await registered[each.functionPackage]({}, context) ?? result;
      } catch (thrown) { if (thrown !== undefined) throw thrown; }
      return result;
    } } } },
  };`;

/** The runtime of the local platform. */
export const platformRuntime = (): Promise<string> =>
  bundle({
    text: `import { installRuntime } from './lib/actions/runtime.ts';
      installRuntime('Platform', { baseUrl: 'http://localhost/', request: async () => ({}), query: () => location.search, currentScript: () => null });`,
  });

export class DebuggedPage {
  readonly page: Page;
  #runs = 0;
  #runId = '';
  /** The last pause that was waited for. */
  #pause = 0;
  #from = 0;

  /** @param page has an agent that watches its functions */
  constructor(page: Page) {
    this.page = page;
  }

  /** @param before script of the page that runs before the agent is installed */
  static async open(
    pipeline: unknown,
    functions: string,
    { runtime = plainRuntime, before = '' }: { runtime?: string; before?: string } = {},
  ): Promise<DebuggedPage> {
    const page = await openPage({ agent: false, before });
    page.run(await agentSource());
    page.port().watch('run', 'Platform');
    page.run(runtime);
    page.run(pageScripts(pipeline, functions));
    return new DebuggedPage(page);
  }

  /** Throws the error’s code and message if the run isn’t started. */
  start(debug: DebugOptions = {}, { payload = {}, engine = 'ours' }: { payload?: object; engine?: Engine } = {}): void {
    const { mocks, from, ...options } = debug;
    const sent: AgentDebugOptions = { ...options };
    if (mocks) sent.mocks = this.putText(JSON.stringify(mocks));
    if (from) {
      const { recording, ...rest } = from;
      sent.from = { ...rest, text: this.putText(recording) };
    }
    this.#runId = `run-${++this.#runs}`;
    this.#from = this.page.agent('read', 0, 1, 'Platform').lastSeq;
    const started = this.page.agent('start', this.#runId, JSON.stringify(payload), 'Platform', {
      engine,
      debug: sent,
    });
    if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message} ${started.error.hint}`);
  }

  putText(text: string): string {
    const id = `text-${Math.random()}`;
    if (!this.page.agent('putText', id, 0, text)) throw new Error('The text was refused.');
    return id;
  }

  /** The events of the current run. */
  events(): AgentEvent[] {
    return this.page.events(this.#from);
  }

  all<K extends AgentEvent['kind']>(kind: K): EventOf<K>[] {
    return this.events().filter((event): event is EventOf<K> => event.kind === kind);
  }

  /** Resolves with the next pause. */
  async paused(): Promise<EventOf<'paused'>> {
    const find = () => this.all('paused').find(({ pause }) => pause > this.#pause);
    await this.page.until(() => find() !== undefined || this.all('run-ended').length > 0);
    const found = find();
    if (!found) throw new Error('The run ended without a pause.');
    this.#pause = found.pause;
    return found;
  }

  /** The path and iteration of the next pause, and its reason. */
  async place(): Promise<string> {
    const { step, reason } = await this.paused();
    const { path, iteration } = this.all('step-started').find((each) => each.step === step)!;
    return `${[path, ...iteration].join('#')} ${reason}`;
  }

  resume(command: ResumeCommand = { go: 'resume' }): void {
    const resumed = this.page.agent('resume', this.#runId, this.#pause, command);
    if (!resumed.ok) throw new Error(resumed.error.code);
  }

  context(): Record<string, unknown> {
    const found = this.page.agent('pausedContext', this.#runId, this.#pause);
    return JSON.parse(this.page.agent('text', found!.handle, 0, found!.length)!) as Record<string, unknown>;
  }

  /** The error’s code; null if the text was applied. */
  edit(text: string): string | null {
    const edited = this.page.agent('editContext', this.#runId, this.#pause, this.putText(text));
    return edited.ok ? null : edited.error.code;
  }

  /** Edits the context’s value. */
  change(change: (context: Record<string, unknown>) => void): string | null {
    const context = this.context();
    change(context);
    return this.edit(JSON.stringify(context));
  }

  evaluate(...sources: string[]): Evaluated[] | null {
    return this.page.agent('evaluate', this.#runId, this.#pause, sources);
  }

  update(debug: DebugOptions): boolean {
    return this.page.agent('debug', this.#runId, debug.settings!);
  }

  pauseNext() {
    return this.page.agent('pause', this.#runId);
  }

  stop(): boolean {
    return this.page.agent('stop', this.#runId);
  }

  async ended(): Promise<EventOf<'run-ended'>> {
    await this.page.until(() => this.all('run-ended').length > 0);
    return this.all('run-ended')[0]!;
  }

  recording(): Recording {
    const found = this.page.agent('recording', this.#runId);
    return JSON.parse(this.page.agent('text', found!.handle, 0, found!.length)!) as Recording;
  }

  /** The names of the functions that were called. */
  calls(): string[] {
    return JSON.parse(this.page.run('JSON.stringify(calls)') as string) as string[];
  }

  get runId(): string {
    return this.#runId;
  }
}
