/** Prepares what a run is debugged with, or refuses to start the run. */
import { MockObserver } from '../../../../../debugging/mocks/mock-observer.ts';
import type { Recording } from '../../../../../debugging/recording/format.ts';
import { RecordedPrefix } from '../../../../../debugging/replay/recorded-prefix.ts';
import { toErrorValue } from '../../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../../platform-api/errors.ts';
import { write } from '../../../agent/json.ts';
import { cancelLater, later, parseJson } from '../../../agent/pristine.ts';
import type { Target } from '../targets.ts';
import type { DebugRequest } from './panel-data.ts';
import type { RunStart } from '../recorder.ts';
import { hasBreakpoints, refusal, type RunFacts } from './refusals.ts';

export interface Debugging {
  request: DebugRequest;
  prefix: RecordedPrefix | null;
  /** The recorded payload, with which the run must start, as JSON text. Null to start with the panel’s. */
  payload: string | null;
}

export type Prepared = { ok: true; debugging: Debugging } | { ok: false; error: ErrorValue };

/** Errors: `MOCKS_LIVE`, `MOCKS_UNAVAILABLE`, `DEBUGGER_UNAVAILABLE`, and those of recordings and `RecordedPrefix`. */
export function prepareDebugging(request: DebugRequest, facts: RunFacts): Prepared {
  const error = refusal(request, facts);
  if (error) return { ok: false, error };
  const { from } = request;
  if (!from) return { ok: true, debugging: { request, prefix: null, payload: null } };
  try {
    const prefix = new RecordedPrefix(parseJson(from.recording) as Recording, from.place);
    return { ok: true, debugging: { request, prefix, payload: write(prefix.payload) } };
  } catch (thrown) {
    return { ok: false, error: toErrorValue(thrown) };
  }
}

export function mocksOf({ mocks }: DebugRequest, { controller }: Target): MockObserver | null {
  if (mocks.length === 0) return null;
  const timer = (then: () => void, milliseconds: number): (() => void) => {
    const timeout = later(then, milliseconds);
    return () => cancelLater(timeout);
  };
  return new MockObserver(mocks, { timer, ...(controller && { signal: controller.signal }) });
}

/** What `run-started` reports about debugging. */
export function debuggingEvent(
  request: DebugRequest,
  error: ErrorValue | null,
): Pick<RunStart, 'mocks' | 'from' | 'debuggerError'> {
  return {
    mocks: request.mocks.length || undefined,
    from: request.from?.place,
    debuggerError: error && hasBreakpoints(request) ? error : undefined,
  };
}
