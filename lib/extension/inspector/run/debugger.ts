/** Controls a run while it’s paused at a step: the panel's counterpart to the agent's debugger. */
import type { DebuggerSettings, ResumeCommand } from '../../../debugging/stepper/types.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { Evaluated, RunAgent } from '../contract.ts';
import { parseDone, parseEvaluated, parseFlag, parseFlagResult, parseHandle } from './parse.ts';
import { readText } from './remote-text.ts';
import { sendText } from './send-text.ts';
import type { RunDebugger, RunInspector } from './types.ts';

const PAUSE_GONE: ErrorValue = {
  code: 'PAUSE_GONE',
  message: 'The run isn’t paused there anymore.',
  hint: 'Check where the run is now.',
};
const GONE: Result<never> = { ok: false, error: PAUSE_GONE };
const NO_RUN: Result<boolean> = { ok: true, value: false };

export interface DebuggerOptions {
  inspector: Pick<RunInspector, 'call'>;
  /** The current run; null if there is none. */
  runId: () => string | null;
  /** The run is about to report something. */
  onCommand: () => void;
}

export class RunDebuggerClient implements RunDebugger {
  readonly #options: DebuggerOptions;

  constructor(options: DebuggerOptions) {
    this.#options = options;
  }

  update(settings: DebuggerSettings): Promise<Result<boolean>> {
    return this.#call('debug', [settings], NO_RUN, parseFlag);
  }

  async pause(): Promise<Result<boolean>> {
    return flat(await this.#command('pause', [], NO_RUN, parseFlagResult));
  }

  async resume(pause: number, command: ResumeCommand): Promise<Result<null>> {
    return flat(await this.#command('resume', [pause, command], GONE, parseDone));
  }

  async contextText(pause: number): Promise<Result<string>> {
    const found = await this.#call('pausedContext', [pause], GONE, parseHandle);
    if (!found.ok) return found;
    const { handle } = found.value;
    return handle === null ? GONE : readText(this.#options.inspector, handle);
  }

  async editContext(pause: number, text: string): Promise<Result<null>> {
    // Another page could be in the tab by now.
    if (this.#options.runId() === null) return GONE;
    const sent = await sendText(this.#options.inspector, text);
    return sent.ok ? flat(await this.#command('editContext', [pause, sent.value], GONE, parseDone)) : sent;
  }

  async evaluate(pause: number, sources: readonly string[]): Promise<Result<Evaluated[]>> {
    const found = await this.#call('evaluate', [pause, sources], GONE, parseEvaluated);
    if (!found.ok) return found;
    const { values } = found.value;
    return values === null ? GONE : { ok: true, value: values };
  }

  /** Calls the agent about the current run. `none` is the result if there is no run. */
  async #call<T>(
    method: keyof RunAgent,
    args: readonly unknown[],
    none: Result<T>,
    parse: (response: unknown) => T | null,
  ): Promise<Result<T>> {
    const { inspector, runId } = this.#options;
    const id = runId();
    return id === null ? none : inspector.call(method, [id, ...args], parse);
  }

  async #command<T>(
    method: keyof RunAgent,
    args: readonly unknown[],
    none: Result<T>,
    parse: (response: unknown) => Result<T> | null,
  ): Promise<Result<Result<T>>> {
    const response = await this.#call<Result<T>>(method, args, { ok: true, value: none }, parse);
    this.#options.onCommand();
    return response;
  }
}

const flat = <T>(response: Result<Result<T>>): Result<T> => (response.ok ? response.value : response);
