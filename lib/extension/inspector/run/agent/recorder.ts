/** Owns the events of one run: steps as they open and close, and what happens during each. */
import type { AgentEventBody, Change, RemoteValue, StepState } from '../../contract.ts';
import type { Budget } from '../../agent/describe-cursor.ts';
import { describe } from '../../agent/describe.ts';
import { numbers, remoteError } from './remote-error.ts';
import type { Handles } from '../../agent/handles.ts';
import type { RunLog } from './run-log.ts';
import { floor, now } from '../../agent/pristine.ts';
import { createShadow } from './context-diff.ts';

const SETTINGS: Budget = { nodes: 200, chars: 8_000, depth: 5 };
const CHANGE: Budget = { nodes: 60, chars: 2_000, depth: 4 };
const CONTEXT: Budget = { nodes: 2_000, chars: 100_000, depth: 12 };
const LINE: Budget = { nodes: 100, chars: 8_000, depth: 4 };
const RESULT: Budget = { nodes: 2_000, chars: 60_000, depth: 10 };

/** What a step is, as the engine or a wrapped call tells it; nothing in it is trusted. */
export interface StepLook {
  path: unknown;
  iteration: unknown;
  kind: unknown;
  name: unknown;
  settings: unknown;
  context: unknown;
}
interface OpenStep {
  key: object;
  step: number;
  path: string | null;
  iteration: number[];
  name: string;
  context: unknown;
}
type Ending = { state: StepState; value?: unknown; error?: unknown; iterations?: unknown; branch?: unknown };

export type Recorder = ReturnType<typeof createRecorder>;

/** @param payload the parsed payload: the context that a run starts with */
export function createRecorder(runId: string, payload: object, log: RunLog, handles: Handles) {
  const startedAt = now();
  const open: OpenStep[] = [];
  const shadow = createShadow(payload, (value) => describe(value, CHANGE, handles));
  let steps = 0;
  let requests = 0;

  /** Milliseconds, to the microsecond. */
  function sinceStart(): number {
    return floor((now() - startedAt) * 1_000) / 1_000;
  }
  function add(body: AgentEventBody): void {
    log.add(runId, sinceStart(), body);
  }
  function changesOf(context: unknown): { changes: Change[]; shallow: boolean } {
    return typeof context === 'object' && context !== null ? shadow.compare(context) : { changes: [], shallow: false };
  }
  function current(): number | null {
    return open.length ? open[open.length - 1]!.step : null;
  }
  /** The name of the failing step, while it is still open. */
  function nameOf(path: string, iteration: number[]): string | null {
    for (let i = open.length - 1; i >= 0; i--)
      if (open[i]!.path === path && open[i]!.iteration.length === iteration.length) return open[i]!.name;
    return lastFailed?.path === path ? lastFailed.name : null;
  }
  let lastFailed: OpenStep | null = null;

  function closeLast(ending: Ending): void {
    const ended = open[open.length - 1]!;
    open.length--;
    const { changes, shallow } = changesOf(ended.context);
    if (ending.state === 'failed' && lastFailed === null) lastFailed = ended;
    add({
      kind: 'step-ended',
      step: ended.step,
      state: ending.state,
      value: ending.value === undefined ? undefined : describe(ending.value, SETTINGS, handles),
      error: ending.state === 'failed' ? remoteError(ending.error, handles, nameOf) : undefined,
      iterations: typeof ending.iterations === 'number' ? ending.iterations : undefined,
      branch:
        typeof ending.branch === 'number' || ending.branch === 'else' || ending.branch === null
          ? ending.branch
          : undefined,
      changes,
      shallow: shallow || undefined,
    });
  }

  return {
    runStarted(tracing: 'observed' | 'wrapped' | 'bare', startedAtWall: number): void {
      handles.runStarted();
      const context = describe(payload, CONTEXT, handles);
      add({ kind: 'run-started', tracing, payload: context, context, startedAt: startedAtWall });
    },
    /** @param key what `stepEnded` will be called with */
    stepStarted(key: object, look: StepLook): void {
      const kind = look.kind === 'loop' || look.kind === 'if' ? look.kind : 'function';
      const name = typeof look.name === 'string' ? look.name : kind;
      const started: OpenStep = {
        key,
        step: ++steps,
        path: typeof look.path === 'string' ? look.path : null,
        iteration: numbers(look.iteration),
        name,
        context: look.context,
      };
      const { changes } = changesOf(look.context);
      add({
        kind: 'step-started',
        step: started.step,
        parent: current(),
        path: started.path,
        iteration: started.iteration,
        stepKind: kind,
        name,
        settings: describe(look.settings, SETTINGS, handles),
        changes: changes.length ? changes : undefined,
      });
      open[open.length] = started;
    },
    stepEnded(key: object, ending: Ending): void {
      for (let i = open.length - 1; i >= 0; i--) {
        if (open[i]!.key !== key) continue;
        // A runtime that forgets to tell an end: what was opened inside ended with it.
        while (open.length > i + 1) closeLast({ state: ending.state, error: ending.error });
        closeLast(ending);
        return;
      }
    },
    console(level: 'log' | 'info' | 'warn' | 'error' | 'debug', args: unknown[]): void {
      const told: RemoteValue[] = [];
      for (let i = 0; i < args.length && i < 50; i++) told[i] = describe(args[i], LINE, handles);
      add({ kind: 'console', step: current(), level, args: told });
    },
    requestStarted(method: string, url: string): number {
      add({ kind: 'request-started', step: current(), request: ++requests, method, url });
      return requests;
    },
    requestEnded(request: number, status: number | null, bytes: number | null, error?: string): void {
      add({ kind: 'request-ended', request, status, bytes, error });
    },
    /** Steps that are still open end with the run. */
    runEnded(
      state: 'completed' | 'failed' | 'stopped',
      ending: { value?: unknown; error?: unknown; bytes?: number | null; text?: string; goesOn?: boolean },
    ): void {
      const error = state === 'failed' ? remoteError(ending.error, handles, nameOf) : undefined;
      while (open.length) closeLast({ state, error: ending.error });
      add({
        kind: 'run-ended',
        state,
        milliseconds: sinceStart(),
        error,
        result: state === 'completed' ? describe(ending.value, RESULT, handles) : undefined,
        resultBytes: state === 'completed' ? (ending.bytes ?? null) : undefined,
        resultText: ending.text === undefined ? undefined : handles.add(ending.text),
        goesOn: ending.goesOn || undefined,
      });
    },
  };
}
