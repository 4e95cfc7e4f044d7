/**
 * `/v1/clock`: reads the platform’s time, and moves a virtual clock, so that a week of schedules runs within a second.
 */
import * as v from 'valibot';
import { once } from '../once.ts';
import { json } from '../response.ts';
import { conflict, invalid } from '../errors.ts';
import { readJson } from '../request.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

const YEAR = 366 * 86_400_000;
const Move = v.strictObject({
  advance: v.optional(
    v.pipe(
      v.number('advance must be a number of milliseconds.'),
      v.integer('advance must be an integer of milliseconds.'),
      v.minValue(0, 'The clock can’t move backward.'),
      v.maxValue(YEAR, 'The clock can move by at most a year.'),
    ),
  ),
  to: v.optional(
    v.pipe(
      v.string('to must be a time such as 2026-03-29T00:00:00Z.'),
      v.isoTimestamp('to must be a time such as 2026-03-29T00:00:00Z.'),
    ),
  ),
});

export function clockRoutes(services: Services): Route[] {
  const { clock, schedules } = services.time;
  const shown = () => ({ now: clock.now().toISOString(), virtual: clock.virtual });
  return [
    {
      path: '/v1/clock',
      auth: 'token',
      methods: {
        GET: (c) => json(c, shown()),
        POST: async (c, access) => {
          const { advance, to } = await readJson(c, Move);
          if (!clock.virtual)
            throw conflict('CLOCK_IS_REAL', 'This platform’s clock isn’t virtual, so it can’t be moved.');
          if ((advance === undefined) === (to === undefined))
            throw invalid([
              { path: '', message: 'The body must have either “advance” (milliseconds) or “to” (a time).' },
            ]);
          const now = clock.now().getTime();
          const target = to === undefined ? now + advance! : Date.parse(to);
          if (!(target >= now && target <= now + YEAR))
            throw invalid([{ path: '/to', message: 'The clock can only move forward, by at most a year.' }]);
          // Moving the clock to the same time again has no effect.
          const { result: time } = await once(services, c, access, async () => target);
          return json(c, { queued: await schedules.advance(new Date(time)), ...shown() });
        },
      },
    },
  ];
}
