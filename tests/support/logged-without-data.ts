/** Checks what the local platform logs of an error of its database. */
import { inspect } from 'node:util';
import { expect } from 'vitest';
import { logFaultsOnce } from '../../lib/local-platform/db/outage.ts';

/** That the log has the reason, and not the value “secret”, which only the statement `known` may have. */
export function expectLoggedWithoutData(error: unknown, reason: string, known = '\0'): void {
  let logged: unknown;
  logFaultsOnce((each) => (logged = each))(error);
  expect(inspect(logged)).toContain(`A database statement failed: ${reason}`);
  expect(inspect(logged).replaceAll(known, '')).not.toContain('secret');
}
