/** Runs the page's pipeline with a payload, observes the run, and ends it exactly once. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import { writeForeign } from '../../agent/foreign-json.ts';
import type { Handles } from '../../agent/handles.ts';
import { utf8Length, write } from '../../agent/json.ts';
import { captureNetwork, type RequestDetails } from '../../agent/network/network.ts';
import { abort, isArray, later, parseJson, wallClock } from '../../agent/pristine.ts';
import { attempt, type Fn, readProperty } from '../../agent/safe.ts';
import { isSandboxed } from '../../agent/watch.ts';
import type { Engine, PageState } from '../../contract.ts';
import { captureConsole, type ConsoleLevel } from './console.ts';
import { hasReplacedBuiltIns } from './debug/built-ins.ts';
import { type Debugging, debuggingEvent, mocksOf, prepareDebugging } from './debug/debugging.ts';
import { ObservedRun } from './debug/observed-run.ts';
import type { DebugRequest } from './debug/panel-data.ts';
import { Pauses } from './debug/pauses.ts';
import { debuggerError, type RunFacts } from './debug/refusals.ts';
import { type Finish, RunRecording } from './debug/run-recording.ts';
import { checkResultSize } from './engine.ts';
import { setPayload } from './payload-url.ts';
import { findSteps } from './pipeline.ts';
import { findEnv, findPlatform, type Found } from './platform.ts';
import { Recorder, type RunEnding } from './recorder.ts';
import type { RunLog } from './run-log.ts';
import { engineAbilities, engineTarget, platformAbilities, platformTarget, type Target } from './targets.ts';
import { recordCall, type WrappedRun } from './wrapped-calls.ts';

/** Maximum size of a result's JSON to measure and keep for the panel, in characters. */
const MAX_RESULT = 32 * 1024 * 1024;

type Rejected = { ok: false; error: ErrorValue };

/** What the runner knows about the page’s functions. */
export interface RunnerPage {
  /** Returns the level of detail that a runtime supports. */
  tracingOf(found: Found): PageState['tracing'];
  functionOf(found: Found, name: string): Fn | undefined;
  /** Whether functions have been watched since before the page could register any. */
  isWatching(): boolean;
  /** The type of what the page has registered in place of a function with this name. */
  otherTypeOf(name: string): string | undefined;
  /** Whether the page can call a function with this name that isn’t wrapped. */
  isUnwrapped(found: Found, name: string): boolean;
}

interface Run extends WrappedRun {
  id: string;
  startedAt: number;
  target: Target;
  observed: ObservedRun;
  pauses: Pauses | null;
  /** Null if the run can’t be recorded. */
  recording: RunRecording | null;
  /** Why the run can’t pause; null if it can. */
  debuggerError: ErrorValue | null;
  /** Restores the functions that were captured in the page. */
  release: () => void;
}

export class Runner {
  readonly #log: RunLog;
  readonly #handles: Handles;
  readonly #page: RunnerPage;
  #current: Run | null = null;
  /** The last run that was recorded, and what builds its recording. */
  #recorded: { runId: string; build: () => Recording | null } | null = null;
  /** The number of pauses so far. */
  #pauses = 0;
  /** Whether runs that start now record the bodies of requests. */
  recordsBodies = false;

  constructor(log: RunLog, handles: Handles, page: RunnerPage) {
    this.#log = log;
    this.#handles = handles;
    this.#page = page;
  }

  current(): { id: string; startedAt: number } | null {
    return this.#current && { id: this.#current.id, startedAt: this.#current.startedAt };
  }

  start(
    runId: string,
    given: string,
    namespace: string,
    engine: Engine,
    request: DebugRequest,
  ): { ok: true } | Rejected {
    if (this.#current)
      return rejected('RUN_IN_PROGRESS', 'Another run is in progress on this page.', 'Try again when it ends.');
    const found = findPlatform(namespace, this.#handles);
    if (!found.run) {
      const message = `The page has no ${namespace}.App.Actions.Pipeline.run().`;
      return rejected('PLATFORM_NOT_READY', message, 'Open the debug page of an action.');
    }
    const facts = this.#factsOf(found, engine);
    const prepared = prepareDebugging(request, facts);
    if (!prepared.ok) return prepared;
    const payload = prepared.debugging.payload ?? given;
    const value = parsePayload(payload);
    if (value === null)
      return rejected('PAYLOAD_INVALID', 'The payload must be a JSON object.', 'Enter an object, such as {}.');
    const chosen = engine === 'ours' ? this.#engineTarget(found, payload) : this.#platformTarget(found);
    if (!chosen.ok) return chosen;
    const restoreUrl = attempt(() => setPayload(write(value)));
    // Functions might read the URL, too, but our engine doesn't.
    if (!restoreUrl && engine !== 'ours') return payloadNotSet();
    this.#begin(this.#observe(runId, value, chosen.target, prepared.debugging, facts), request, restoreUrl);
    return { ok: true };
  }

  /** What debugs the run; null if there is no run with this ID, or if it can’t pause. */
  pausesOf(runId: string): Pauses | null {
    return this.#current?.id === runId ? this.#current.pauses : null;
  }

  /** Pauses before the run’s next step. Fails with `DEBUGGER_UNAVAILABLE`. */
  pause(runId: string): Result<boolean> {
    const run = this.#current;
    if (run?.id !== runId) return { ok: true, value: false };
    const { pauses, debuggerError } = run;
    pauses?.stepper.pauseAtNext();
    return debuggerError ? { ok: false, error: debuggerError } : { ok: true, value: true };
  }

  tookToRead(milliseconds: number): void {
    this.#current?.recorder.tookToRead(milliseconds);
  }

  /** The run’s recording as JSON text. Null if it wasn’t recorded, or if another run has been since. */
  recordingText(runId: string): string | null {
    const recording = this.#recorded?.runId === runId ? this.#recorded.build() : null;
    return recording && (attempt(() => write(recording)) ?? null);
  }

  stop(runId: string): boolean {
    const run = this.#current;
    if (!run || run.id !== runId) return false;
    this.#stop(run);
    return true;
  }

  #stop(run: Run, stoppedBy?: 'page-left'): void {
    const { controller } = run.target;
    this.#end(run, 'stopped', { goesOn: controller === null, stoppedBy });
    if (controller) abort(controller);
  }

  /**
   * The page is left or frozen, and the browser might bring it back. Its run waits for the panel, or is stopped if it can’t
   * wait. A runtime that supports neither keeps running, so that the panel can still say so.
   */
  leave(): void {
    const run = this.#current;
    if (run?.pauses) run.pauses.hold();
    else if (run?.target.controller) this.#stop(run, 'page-left');
  }

  /** Another agent takes over, which doesn’t know this one’s run. */
  retire(): void {
    if (this.#current) this.#stop(this.#current, 'page-left');
  }

  /** Records a call of a wrapped function as a step, unless the run has an observer that reports it. */
  call(name: string, args: unknown[], call: () => unknown): unknown {
    const run = this.#current;
    return run?.target.tracing === 'wrapped' ? recordCall(run, name, args, call) : call();
  }

  #factsOf(found: Found, engine: Engine): RunFacts {
    const tracing = this.#page.tracingOf(found);
    return {
      target: engine === 'ours' ? engineAbilities : platformAbilities(found.run!, tracing),
      mode: readProperty(findEnv(), 'mode'),
      hasReplacedBuiltIns: hasReplacedBuiltIns(),
      isUnwrapped: (name) => this.#page.isUnwrapped(found, name),
    };
  }

  #platformTarget(found: Found): { ok: true; target: Target } {
    return { ok: true, target: platformTarget(found.run!, this.#page.tracingOf(found)) };
  }

  #engineTarget(found: Found, payload: string): ReturnType<typeof engineTarget> {
    return engineTarget({
      env: findEnv(),
      // The recorder keeps its own copy.
      payload: parsePayload(payload)!,
      functionOf: (name) => this.#page.functionOf(found, name),
      isWatching: this.#page.isWatching(),
      otherTypeOf: (name) => this.#page.otherTypeOf(name),
    });
  }

  #observe(runId: string, payload: object, target: Target, debugging: Debugging, facts: RunFacts): Run {
    const trace = new Recorder(runId, payload, this.#log, this.#handles);
    const { request, prefix } = debugging;
    const mocks = mocksOf(request, target);
    const canRecord = target.tracing === 'observed' && !facts.hasReplacedBuiltIns;
    const recording = canRecord ? recordingOf(payload, target.engine) : null;
    const error = debuggerError(facts);
    const pauses = error
      ? null
      : new Pauses({
          trace,
          recording,
          handles: this.#handles,
          request,
          nextId: () => ++this.#pauses,
          onAbandoned: () => this.#stop(run, 'page-left'),
          canRetry: target.canRetry,
        });
    const run: Run = {
      id: runId,
      startedAt: wallClock(),
      recorder: trace,
      target,
      observed: new ObservedRun({ trace, recording, pauses, prefix, mocks }),
      pauses,
      recording,
      debuggerError: error,
      mocks,
      isCurrent: () => this.#current === run,
      release: () => {},
    };
    return run;
  }

  #begin(run: Run, request: DebugRequest, restoreUrl: (() => void) | undefined | null): void {
    const { recorder, target, startedAt, debuggerError: error } = run;
    const releaseConsole = captureConsole((level, args) => this.#console(run, level, args));
    const releaseNetwork = captureNetwork({
      records: this.recordsBodies ? 'bodies' : 'headers',
      started: (method, url, details) => this.#requestStarted(run, method, url, details),
      ended: (request, status, bytes, error, details) =>
        this.#guard(run, () => {
          if (!request) return;
          recorder.requestEnded(request, status, bytes, error, details);
          run.recording?.requestEnded(request, { status, bytes, error, ...details });
        }),
    });
    run.release = () => {
      releaseConsole();
      releaseNetwork();
      restoreUrl?.();
    };
    this.#current = run;
    const engine = target.engine === 'ours' ? target.engine : undefined;
    recorder.runStarted({ tracing: target.tracing, engine, startedAt, ...debuggingEvent(request, error) });
    // Runs in a separate task, so that the panel gets its response even if the pipeline then blocks the page.
    later(() => void this.#execute(run));
  }

  #console(run: Run, level: ConsoleLevel, args: unknown[]): void {
    this.#guard(run, () => run.recorder.console(level, args));
    this.#guard(run, () => run.recording?.console(level, args));
  }

  #requestStarted(run: Run, method: string, url: string, details: RequestDetails): number {
    if (this.#current !== run) return 0;
    const request = run.recorder.requestStarted(method, url, details);
    run.recording?.requestStarted(request, { method, url, ...details });
    return request;
  }

  async #execute(run: Run): Promise<void> {
    if (this.#current !== run) return;
    const { target, observed, recording } = run;
    try {
      const result: unknown = await target.execute(observed.observer, recording?.sources);
      if (this.#current !== run) return;
      const measured = measure(result);
      if (target.engine === 'ours') checkResultSize(measured);
      this.#end(run, 'completed', { value: result, ...measured });
    } catch (error) {
      if (this.#current === run) this.#end(run, 'failed', { error: observed.startError ?? error });
    }
  }

  #end(run: Run, state: 'completed' | 'failed' | 'stopped', ending: RunEnding): void {
    // Before the end, because bodies that are still being read are reported now.
    run.release();
    run.observed.end(state === 'stopped');
    this.#current = null;
    run.recorder.runEnded(state, ending);
    const build = run.recording?.end(finishOf(state, ending));
    this.#recorded = build ? { runId: run.id, build } : null;
  }

  /** Tracing must never affect a run. If recording an event throws, the event is missing from the trace. */
  #guard(run: Run, record: () => void): void {
    if (this.#current === run) attempt(record);
  }
}

/** Null if the page’s pipeline can’t be read. */
function recordingOf(payload: object, engine: Engine): RunRecording | null {
  const found = findSteps(findEnv());
  return found.ok ? new RunRecording(found.steps, payload, engine) : null;
}

function finishOf(state: 'completed' | 'failed' | 'stopped', { value, error }: RunEnding): Finish {
  if (state === 'stopped') return { stopped: true };
  return state === 'completed' ? { result: value } : { error };
}

/** `isTooLong`: the result’s JSON is longer than what is measured. */
function measure(result: unknown): { bytes: number | null; text?: string; isTooLong?: boolean } {
  const written = writeForeign(result, { maxChars: MAX_RESULT, maxDepth: 500, functions: 'omit' });
  return written.ok
    ? { bytes: utf8Length(written.text), text: written.text }
    : { bytes: null, isTooLong: written.isFull };
}

function payloadNotSet(): Rejected {
  const message = 'Couldn’t pass the payload to the page: ';
  return isSandboxed()
    ? rejected(
        'PAYLOAD_NOT_SET',
        `${message}the page is sandboxed, so its URL can’t be changed.`,
        'Open the debug page with the payload in its URL, or without a sandbox.',
      )
    : rejected(
        'PAYLOAD_NOT_SET',
        `${message}the browser doesn’t let the page change its URL.`,
        'Try again in 30 seconds, or open the debug page at an HTTP or HTTPS URL.',
      );
}

function parsePayload(payload: string): object | null {
  const value = attempt(() => parseJson(payload));
  return typeof value === 'object' && value !== null && !isArray(value) ? value : null;
}

export function rejected(code: string, message: string, hint: string): Rejected {
  return { ok: false, error: { code, message, hint } };
}
