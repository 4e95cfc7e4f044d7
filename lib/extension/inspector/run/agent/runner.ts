/** Owns the run that goes on in the document: started with a payload, watched, ended once. */
import type { ErrorValue } from '../../../../platform-api/index.ts';
import type { PageState } from '../../contract.ts';
import { setPayload } from './payload-url.ts';
import { captureConsole } from './console.ts';
import type { Handles } from '../../agent/handles.ts';
import { utf8Length, write, writeForeign } from '../../agent/json.ts';
import type { RunLog } from './run-log.ts';
import { captureNetwork } from '../../agent/network.ts';
import { findPlatform, type Found } from './platform.ts';
import { Abort, abort, apply, isArray, later, parseJson, wallClock } from '../../agent/pristine.ts';
import { createRecorder, type Recorder } from './recorder.ts';

/** Characters of a result's JSON that are counted and kept for the panel. */
const LONGEST_RESULT = 32 * 1024 * 1024;

interface Run {
  id: string;
  startedAt: number;
  recorder: Recorder;
  controller: AbortController | null;
  wrapped: boolean;
  release: () => void;
}
/** What the engine's observer is given; read with care, because the page may call it with anything. */
interface Info {
  path?: unknown;
  iteration?: unknown;
  kind?: unknown;
  name?: unknown;
  step?: { settings?: unknown };
  context?: unknown;
}
interface Outcome {
  state?: unknown;
  value?: unknown;
  error?: unknown;
  iterations?: unknown;
  branch?: unknown;
}

export type Runner = ReturnType<typeof createRunner>;

/** @param tracingOf which detail the runtime that was found allows */
export function createRunner(log: RunLog, handles: Handles, tracingOf: (found: Found) => PageState['tracing']) {
  let current: Run | null = null;

  function start(runId: string, payload: string, namespace: string): { ok: true } | { ok: false; error: ErrorValue } {
    if (current)
      return refused('RUN_IN_PROGRESS', 'A run is going on in this page.', 'Wait until it ends, or stop it.');
    const value = parsed(payload);
    if (value === null)
      return refused('PAYLOAD_INVALID', 'The payload is not a JSON object.', 'Write an object, such as {}.');
    const found = findPlatform(namespace, handles);
    if (!found.run)
      return refused(
        'PLATFORM_NOT_READY',
        `The page has no ${namespace}.App.Actions.Pipeline.run().`,
        'Open the debug page of an action.',
      );
    const restoreAddress = addressed(write(value));
    if (!restoreAddress) {
      return refused(
        'PAYLOAD_NOT_SET',
        'The browser does not let this page change its address, so the payload cannot be handed over.',
        'Open the debug page by its http or https address; if it changes its address all the time, wait half a minute.',
      );
    }
    const tracing = tracingOf(found);
    const recorder = createRecorder(runId, value, log, handles);
    const run: Run = {
      id: runId,
      startedAt: wallClock(),
      recorder,
      controller: signalOf(found),
      wrapped: tracing === 'wrapped',
      release: () => {},
    };
    const undoConsole = captureConsole((level, args) => guarded(run, () => recorder.console(level, args)));
    const undoNetwork = captureNetwork({
      started: (method, url) => (current === run ? recorder.requestStarted(method, url) : 0),
      ended: (request, status, bytes, error) =>
        guarded(run, () => request && recorder.requestEnded(request, status, bytes, error)),
    });
    run.release = () => {
      undoConsole();
      undoNetwork();
      restoreAddress();
    };
    current = run;
    recorder.runStarted(tracing, run.startedAt);
    // In a task of its own: the panel has its answer before a pipeline that never waits takes the page.
    later(() => void execute(run, found.run!, tracing === 'observed'));
    return { ok: true };
  }

  async function execute(run: Run, target: NonNullable<Found['run']>, observed: boolean): Promise<void> {
    if (current !== run) return;
    try {
      const options: Record<string, unknown> = {};
      if (observed) options.observer = observer(run);
      if (run.controller) options.signal = run.controller.signal;
      const result: unknown = await apply(target.fn, target.self, observed || run.controller ? [options] : []);
      if (current === run) end(run, 'completed', { value: result, ...measured(result) });
    } catch (error) {
      if (current === run) end(run, 'failed', { error });
    }
  }

  function observer(run: Run): object {
    return {
      before(info: Info): void {
        guarded(run, () =>
          run.recorder.stepStarted(info, {
            path: info.path,
            iteration: info.iteration,
            kind: info.kind,
            name: info.name,
            settings: info.step?.settings,
            context: info.context,
          }),
        );
      },
      after(info: Info, outcome: Outcome): void {
        guarded(run, () => {
          const { state, value, error, iterations, branch } = outcome;
          run.recorder.stepEnded(info, {
            state: state === 'skipped' || state === 'failed' || state === 'stopped' ? state : 'completed',
            value,
            error,
            iterations,
            branch,
          });
        });
      },
    };
  }

  function end(run: Run, state: 'completed' | 'failed' | 'stopped', ending: Parameters<Recorder['runEnded']>[1]): void {
    current = null;
    run.release();
    run.recorder.runEnded(state, ending);
  }

  /** Watching never changes a run: what fails in the watching is left out of the trace. */
  function guarded(run: Run, tell: () => void): void {
    if (current !== run) return;
    try {
      tell();
    } catch {
      // A value of the page that throws whenever it is looked at.
    }
  }

  return {
    start,
    stop(runId: string): boolean {
      const run = current;
      if (!run || run.id !== runId) return false;
      end(run, 'stopped', { goesOn: run.controller === null });
      if (run.controller) abort(run.controller);
      return true;
    },
    current: () => (current ? { id: current.id, startedAt: current.startedAt } : null),
    /** One call of a registered function that was wrapped: a step, when the run has no observer to tell of it. */
    call(name: string, args: unknown[], go: () => unknown): unknown {
      const run = current;
      if (!run || !run.wrapped) return go();
      const key = {};
      guarded(run, () =>
        run.recorder.stepStarted(key, {
          path: null,
          iteration: [],
          kind: 'function',
          name,
          settings: args[0],
          context: args[1],
        }),
      );
      let answer: unknown;
      try {
        answer = go();
      } catch (error) {
        guarded(run, () => run.recorder.stepEnded(key, { state: 'failed', error }));
        throw error;
      }
      if (!isThenable(answer)) guarded(run, () => run.recorder.stepEnded(key, { state: 'completed', value: answer }));
      else void settle(run, key, answer);
      return answer;
    },
  };

  async function settle(run: Run, key: object, answer: unknown): Promise<void> {
    try {
      const value = await answer;
      guarded(run, () => run.recorder.stepEnded(key, { state: 'completed', value }));
    } catch (error) {
      // To reject without a reason is how a function skips its nested ones (decisions, "Pipelines").
      guarded(run, () =>
        run.recorder.stepEnded(key, error === undefined ? { state: 'skipped' } : { state: 'failed', error }),
      );
    }
  }
}

function measured(result: unknown): { bytes: number | null; text?: string } {
  const written = writeForeign(result, { chars: LONGEST_RESULT, depth: 500 }, 'omit');
  return written.ok ? { bytes: utf8Length(written.text), text: written.text } : { bytes: null };
}

/** How to write the address back; null when it cannot be written. */
function addressed(payload: string): (() => void) | null {
  try {
    return setPayload(payload);
  } catch {
    return null;
  }
}

function signalOf(found: Found): AbortController | null {
  const features = found.run!.features;
  for (let i = 0; i < features.length; i++) if (features[i] === 'signal') return new Abort();
  return null;
}

function parsed(payload: string): object | null {
  try {
    const value = parseJson(payload);
    return typeof value === 'object' && value !== null && !isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isThenable(value: unknown): boolean {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  try {
    return typeof (value as { then?: unknown }).then === 'function';
  } catch {
    return false;
  }
}

function refused(code: string, message: string, hint: string): { ok: false; error: ErrorValue } {
  return { ok: false, error: { code, message, hint } };
}
