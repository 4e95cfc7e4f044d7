/** Owns running an action on the platform: queued, or waited for in short requests. */
import * as v from 'valibot';
import { CodedError } from '../platform-api/index.ts';
import type { ActionAddress } from './actions.ts';
import { actionPath } from './actions.ts';
import type { Request } from './exchange.ts';
import { exchange, pause } from './exchange.ts';
import type { Doubt } from './json.ts';
import { change, MB, parsed, unknownOutcome } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

export interface RunArgs extends ActionAddress {
  payload: Record<string, unknown>;
}

const Queued = v.looseObject({ runId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) });
const Finished = v.looseObject({ result: v.optional(v.unknown(), null) });

/** Asks for an answer after 20 seconds, that of the run or "not yet" (RFC 7240): a browser ends a worker whose request waits for longer than 30. */
const PREFER = 'respond-async, wait=20';
const ANSWER_WITHIN = 28_000;
/** A run takes 120 seconds at most, and may wait for others before. */
const LONGEST_WAIT = 170_000;
/** A platform that says "not yet" at once is asked no more often than this, in milliseconds. */
const POLL_EVERY = 1_000;
const RESULT_ROOM = 8 * MB;
/** A failure tells its message twice, and up to 200 lines of trace. */
const REFUSAL_ROOM = MB;

const QUEUED: Doubt = {
  what: 'whether the run was queued',
  hint: 'Look for its record in the logs before you run it again.',
};
const ENDED: Doubt = {
  what: 'how the run ended',
  hint: 'It may go on: its record in the logs will tell. Look there before you run it again.',
};

/** `POST …/run`: answers when the run is queued. @throws CodedError of `change` */
export async function runAction(
  connection: Connection,
  args: RunArgs,
  options: CallOptions = {},
): Promise<{ runId: string }> {
  const request = { method: 'POST', path: actionPath(args, '/run'), body: { payload: args.payload } } as const;
  const { runId } = await change(connection, request, QUEUED, options, (response) =>
    parsed(response, Queued, 'queued run', MB),
  );
  return { runId };
}

/**
 * `POST …/run-with-result`, then `GET …/runs/:runId` until it has ended; no request takes longer than 28 seconds.
 * @throws CodedError `ACTION_FAILED`, `TIMEOUT`, `RESULT_TOO_LARGE` with the run's `failure`; `OUTCOME_UNKNOWN` when the run goes on
 * or its outcome cannot be had; any other code means that it was not begun
 */
export async function runWithResult(
  connection: Connection,
  args: RunArgs,
  options: CallOptions = {},
): Promise<unknown> {
  const until = Date.now() + LONGEST_WAIT;
  const each = { ...options, timeoutMs: ANSWER_WITHIN };
  const order = {
    method: 'POST',
    path: actionPath(args, '/run-with-result'),
    body: { payload: args.payload },
    ...ASKING,
  } as const;
  let answer = await change(connection, order, ENDED, each, read);
  while ('runId' in answer) {
    const { runId } = answer;
    const asked = Date.now();
    if (asked > until)
      throw new CodedError({
        code: 'OUTCOME_UNKNOWN',
        message: `The run ${runId} has not ended within ${LONGEST_WAIT / 1000} seconds.`,
        hint: ENDED.hint,
      });
    const look: Request = {
      method: 'GET',
      path: `/v1/apps/${args.appId}/runs/${encodeURIComponent(runId)}`,
      accept: 'application/json',
      ...ASKING,
    };
    answer = await exchange(connection, look, each, read).catch((error: unknown) => {
      throw error instanceof CodedError && error.value.failure ? error : unknownOutcome(ENDED, error);
    });
    if ('runId' in answer)
      await pause(Math.max(0, POLL_EVERY - (Date.now() - asked)), options.signal ?? new AbortController().signal);
  }
  return answer.result;
}

const ASKING = { headers: { Prefer: PREFER }, refusalLimit: REFUSAL_ROOM };

const read = async (response: Response): Promise<{ runId: string } | { result: unknown }> =>
  response.status === 202
    ? parsed(response, Queued, 'queued run', MB)
    : parsed(response, Finished, 'result of a run', RESULT_ROOM);
