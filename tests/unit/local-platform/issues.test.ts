/** What is wrong with a body, in error details. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { explain, SILENT } from '../../../lib/local-platform/http/issues.ts';
import { isExhaustive } from '../../support/exhaustive.ts';

const COUNT = isExhaustive() ? 150_000 : 30_000;

it('the issues of a body are explained in time that its length bounds, however many there are', () => {
  const schema = v.array(v.string());
  const body = Array.from({ length: COUNT }, (_, index) => index);
  const details = explain(schema, v.safeParse(schema, body, SILENT).issues!);
  expect(details).toHaveLength(20);
  expect(details[1]).toEqual({ path: '/1', message: '[1] must be a string, not a number.' });
});
