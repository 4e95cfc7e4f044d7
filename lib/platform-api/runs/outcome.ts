/** The outcome that a page reports for a run that it has executed. */
import * as v from 'valibot';

const milliseconds = v.pipe(
  v.number('milliseconds must be a number.'),
  v.minValue(0, 'milliseconds must be at least 0.'),
  v.maxValue(2 ** 31 - 1, 'milliseconds is too large.'),
);
const line = /* @__NO_SIDE_EFFECTS__ */ (name: string, longest: number) =>
  v.pipe(v.string(`${name} must be a string.`), v.maxLength(longest, `${name} is limited to ${longest} characters.`));

export const PageRunOutcome = v.variant(
  'state',
  [
    // Only a V3 action’s result is logged.
    v.object({ state: v.literal('completed'), milliseconds, result: v.optional(v.unknown()) }),
    v.object({
      state: v.literal('failed'),
      milliseconds,
      code: v.picklist(
        ['ACTION_FAILED', 'TIMEOUT', 'RESULT_TOO_LARGE'],
        'code must be ACTION_FAILED, TIMEOUT, or RESULT_TOO_LARGE.',
      ),
      failure: v.object({
        errorType: line('errorType', 300),
        errorMessage: line('errorMessage', 11_000),
        trace: v.pipe(
          v.array(line('A trace line', 2_000), 'trace must be an array of strings.'),
          v.maxLength(200, 'trace is limited to 200 lines.'),
        ),
      }),
    }),
  ],
  'state must be completed or failed.',
);
export type PageRunOutcome = v.InferOutput<typeof PageRunOutcome>;
