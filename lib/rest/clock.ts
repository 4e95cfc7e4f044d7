/** Owns the platform's clock: reading it, and moving a virtual one, so that schedules need not be waited for. */
import type { ClockMoved as Moved, ClockState as State } from '../platform-api/index.ts';
import { ClockMoved, ClockState } from '../platform-api/index.ts';
import { change, getJson, MB, parsed } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

/** A day has 1,440 minutes in which schedules may fire. A browser ends a worker whose request waits for longer than 30 seconds. */
const MOVE_WITHIN = 28_000;

/** `GET /v1/clock`: `NOT_FOUND` where a platform has no such endpoint. */
export async function readClock(connection: Connection, options: CallOptions = {}): Promise<State> {
  return getJson(connection, '/v1/clock', ClockState, 'clock', MB, options);
}

/** `POST /v1/clock`: on to `to`, an ISO 8601 timestamp; long ways are best gone a day at a time. @throws CodedError of `change` */
export async function moveClock(
  connection: Connection,
  args: { to: string },
  options: CallOptions = {},
): Promise<Moved> {
  const request = { method: 'POST', path: '/v1/clock', body: { to: args.to } } as const;
  const doubt = {
    what: 'whether the clock was moved',
    hint: 'Read it again; moving it once more to the same time fires nothing twice.',
  };
  return change(connection, request, doubt, { timeoutMs: MOVE_WITHIN, ...options }, (response) =>
    parsed(response, ClockMoved, 'moved clock', MB),
  );
}
