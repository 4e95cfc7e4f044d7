/** A page’s analytics events, which fire `analytics` triggers (specification, "Trigger"). */
import * as v from 'valibot';
import { WHERE_LIMIT } from '../limits.ts';
import { isFields } from '../where.ts';

const text = /* @__NO_SIDE_EFFECTS__ */ (name: string) =>
  v.pipe(v.string(`${name} must be a string.`), v.nonEmpty(`${name} must not be empty.`));
const Data = v.pipe(
  v.custom<Record<string, unknown>>(isFields, 'data must be an object.'),
  v.check((data) => JSON.stringify(data).length <= WHERE_LIMIT, `data is limited to ${WHERE_LIMIT} characters.`),
);

export const AnalyticsEvent = v.variant(
  'type',
  [
    v.object({ type: v.literal('analytics.pageView'), data: v.optional(Data, {}) }),
    v.object({
      type: v.literal('analytics.event'),
      data: v.pipe(
        Data,
        v.rawCheck(({ dataset, addIssue }) => {
          if (!dataset.typed) return;
          for (const name of ['category', 'action']) {
            const checked = v.safeParse(text(name), dataset.value[name]);
            if (!checked.success)
              addIssue({
                message: checked.issues[0].message,
                path: [
                  { type: 'object', origin: 'value', input: dataset.value, key: name, value: dataset.value[name] },
                ],
              });
          }
        }),
      ),
    }),
  ],
  'type must be analytics.pageView or analytics.event.',
);
export type AnalyticsEvent = v.InferOutput<typeof AnalyticsEvent>;
