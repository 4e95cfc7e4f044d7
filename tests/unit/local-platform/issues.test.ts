/** What is wrong with a body, in error details. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { explain, SILENT } from '../../../lib/local-platform/http/issues.ts';

it('each issue of a body is read as often, however many there are', () => {
  const schema = v.array(v.string());
  let reads = 0;
  const readsOf = (count: number): number => {
    const { issues = [] } = v.safeParse(
      schema,
      Array.from({ length: count }, (_, index) => index),
      SILENT,
    );
    reads = 0;
    const counted = issues.map(({ input, ...issue }) =>
      Object.defineProperty(issue, 'input', {
        enumerable: true,
        get() {
          reads++;
          return input;
        },
      }),
    );
    expect(explain(schema, counted as never)).toHaveLength(20);
    return reads / count;
  };
  expect(readsOf(2_000)).toBe(readsOf(20));
});
