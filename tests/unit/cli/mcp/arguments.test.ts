/** What tools get as arguments. */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { object } from '../../../../lib/cli/mcp/tools/shared.ts';

test('an object keeps all of its fields, also those that all objects inherit', () => {
  const payload: unknown = JSON.parse('{"constructor":"Acme","prototype":1,"__proto__":2,"toString":3}');
  expect(JSON.stringify(v.parse(object, payload))).toBe(JSON.stringify(payload));
  expect(v.is(object, [])).toBe(false);
});
