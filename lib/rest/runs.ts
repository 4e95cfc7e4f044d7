/** Runs actions on the platform. Runs are queued, or awaited with several short requests. */
import * as v from 'valibot';
import { CodedError, type Mock } from '../platform-api/index.ts';
import type { ActionAddress } from './actions.ts';
import { actionPath } from './actions.ts';
import type { Request } from './exchange.ts';
import { exchange, JSON_TYPE, pause } from './exchange.ts';
import type { Uncertainty } from './json.ts';
import { change, getJson, MB, parsed, unknownOutcome } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

export interface RunArgs extends ActionAddress {
  payload: Record<string, unknown>;
  /** For the working copy only. Beyond the specification, like `record`. */
  mocks?: readonly Mock[] | undefined;
  /** Also records the run if it completes. */
  record?: boolean | undefined;
}

const bodyOf = ({ payload, mocks = [], record = false }: RunArgs): object => ({
  payload,
  ...(mocks.length > 0 && { mocks }),
  ...(record && { record }),
});

const Queued = v.looseObject({ runId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) });
const Finished = v.looseObject({ result: v.optional(v.unknown(), null) });

/** Requests a response within a second, with or without the result (RFC 7240), because later changes wait for it. */
const START = { headers: { Prefer: 'respond-async, wait=1' } };
/** Requests a response within 20 seconds. Browsers stop a worker whose request takes longer than 30 seconds. */
const POLL = { headers: { Prefer: 'respond-async, wait=20' } };
const REQUEST_TIMEOUT = 28_000;
/** A run takes up to 120 seconds, and might be queued first. */
const MAX_WAIT = 170_000;
/** Minimum interval between requests for the result, in milliseconds. */
const POLL_INTERVAL = 1_000;
const RESULT_SIZE = 8 * MB;
/** An error response contains the failure’s message twice, and up to 200 trace lines. */
const ERROR_SIZE = MB;

const QUEUED: Uncertainty = {
  what: 'whether the run was queued',
  hint: 'Check the logs for the run’s record before you run the action again.',
};
const ENDED: Uncertainty = {
  what: 'how the run ended',
  hint: 'Check the logs for the run’s record before you run the action again. The run may still be running.',
};

/** Features of a platform beyond the specification. Platforms older than 0.2.0 don’t send them. */
const Status = v.looseObject({ features: v.optional(v.array(v.string()), []) });

/** An older platform would ignore the mocks, and really send email. @throws CodedError `MOCKS_UNSUPPORTED` */
async function requireMocks(connection: Connection, options: CallOptions): Promise<void> {
  const { features } = await getJson(connection, '/v1/status', Status, 'status', MB, options);
  if (features.includes('mocks')) return;
  throw new CodedError({
    code: 'MOCKS_UNSUPPORTED',
    message: 'Couldn’t run with mocks: this platform doesn’t support them. Nothing ran.',
    hint: 'Update the local platform, or run on a debug page with “Our engine”.',
  });
}

/** `POST …/run`: resolves when the run is queued. @throws the errors of `change`; CodedError `MOCKS_UNSUPPORTED` */
export async function runAction(
  connection: Connection,
  args: RunArgs,
  options: CallOptions = {},
): Promise<{ runId: string }> {
  if (args.mocks?.length) await requireMocks(connection, options);
  const request = { method: 'POST', path: actionPath(args, '/run'), body: bodyOf(args) } as const;
  const { runId } = await change(connection, request, QUEUED, options, (response) =>
    parsed(response, Queued, 'queued run', MB),
  );
  return { runId };
}

/**
 * `POST …/run-with-result`, then `GET …/runs/:runId` until the run has ended. No request takes longer than 28 seconds.
 * @throws CodedError `ACTION_FAILED`, `TIMEOUT`, `RESULT_TOO_LARGE` with the run’s `failure`; `OUTCOME_UNKNOWN` if the
 * run might still be running. With any other code, such as `MOCKS_UNSUPPORTED`, the run didn’t start.
 */
export async function runWithResult(
  connection: Connection,
  args: RunArgs,
  options: CallOptions = {},
): Promise<unknown> {
  const callOptions = { ...options, timeoutMs: REQUEST_TIMEOUT };
  if (args.mocks?.length) await requireMocks(connection, options);
  const start = {
    method: 'POST',
    path: actionPath(args, '/run-with-result'),
    body: bodyOf(args),
    errorLimit: ERROR_SIZE,
    ...START,
  } as const;
  let state = await change(connection, start, ENDED, callOptions, read);
  const deadline = performance.now() + MAX_WAIT;
  while ('runId' in state) {
    const { runId } = state;
    const polledAt = performance.now();
    if (polledAt > deadline)
      throw new CodedError({
        code: 'OUTCOME_UNKNOWN',
        message: `The run ${runId} didn’t end within ${MAX_WAIT / 1000} seconds.`,
        hint: ENDED.hint,
      });
    const poll: Request = {
      method: 'GET',
      path: `/v1/apps/${args.appId}/runs/${encodeURIComponent(runId)}`,
      accept: JSON_TYPE,
      errorLimit: ERROR_SIZE,
      ...POLL,
    };
    state = await exchange(connection, poll, callOptions, read).catch((error: unknown) => {
      throw error instanceof CodedError && error.value.failure ? error : unknownOutcome(ENDED, error);
    });
    if ('runId' in state)
      await pause(
        Math.max(0, POLL_INTERVAL - (performance.now() - polledAt)),
        options.signal ?? new AbortController().signal,
      );
  }
  return state.result;
}

/** A platform may name the run in the response with its result, too, so that the status decides. */
async function read(response: Response): Promise<{ runId: string } | { result: unknown }> {
  if (response.status !== 202)
    return { result: (await parsed(response, Finished, 'result of a run', RESULT_SIZE)).result };
  return { runId: (await parsed(response, Queued, 'queued run', MB)).runId };
}
