/** Reads the platform’s clock and moves a virtual one, so that schedules can be tested without waiting. */
import type { ClockMoved as Moved, ClockState as State } from '../platform-api/index.ts';
import { ClockMoved, ClockState } from '../platform-api/index.ts';
import { change, getJson, MB, parsed } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

/** Firing a day’s schedules takes a while, but browsers stop a worker whose request takes longer than 30 seconds. */
const MOVE_TIMEOUT = 28_000;

/** `GET /v1/clock`. */
export async function readClock(connection: Connection, options: CallOptions = {}): Promise<State> {
  return getJson(connection, '/v1/clock', ClockState, 'clock', MB, options);
}

/**
 * `POST /v1/clock`: moves the clock to `to` (ISO 8601), ideally by at most one day at a time.
 * @throws the errors of `change`
 */
export async function moveClock(
  connection: Connection,
  args: { to: string },
  options: CallOptions = {},
): Promise<Moved> {
  const request = { method: 'POST', path: '/v1/clock', body: { to: args.to } } as const;
  const uncertainty = {
    what: 'whether the clock was moved',
    hint: 'Refresh the clock. Moving it to the same time again doesn’t run anything twice.',
  };
  return change(connection, request, uncertainty, { timeoutMs: MOVE_TIMEOUT, ...options }, (response) =>
    parsed(response, ClockMoved, 'moved clock', MB),
  );
}
