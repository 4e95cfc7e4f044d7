/** Schemas for `/v1/clock`, which returns the platform’s time and moves a virtual clock. */
import * as v from 'valibot';

const Time = v.pipe(v.string(), v.isoTimestamp());

/**
 * `now` is an ISO 8601 timestamp in UTC. Only virtual clocks can be moved; any other clock shows the time of the
 * platform’s machine.
 */
export const ClockState = v.looseObject({ now: Time, virtual: v.boolean() });
export type ClockState = v.InferOutput<typeof ClockState>;

/** The response to moving the clock. `queued` is the number of scheduled runs that became due. */
export const ClockMoved = v.looseObject({ ...ClockState.entries, queued: v.pipe(v.number(), v.integer()) });
export type ClockMoved = v.InferOutput<typeof ClockMoved>;
