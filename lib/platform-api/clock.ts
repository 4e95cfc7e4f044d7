/** Schemas of `/v1/clock`: the platform’s time, and moving a virtual clock. */
import * as v from 'valibot';

const Time = v.pipe(v.string(), v.isoTimestamp());

/** `now` is an ISO 8601 UTC timestamp; a clock that is not virtual is the time of the platform's machine, and cannot be moved. */
export const ClockState = v.looseObject({ now: Time, virtual: v.boolean() });
export type ClockState = v.InferOutput<typeof ClockState>;

/** What moving it answers: `queued` is how many scheduled runs fell due on the way. */
export const ClockMoved = v.looseObject({ ...ClockState.entries, queued: v.pipe(v.number(), v.integer()) });
export type ClockMoved = v.InferOutput<typeof ClockMoved>;
