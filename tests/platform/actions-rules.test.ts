/**
 * Proves the rules of actions over HTTP (specification, "App Actions V2 JavaScript API"; decisions, "Actions"): all of them on PGlite, and
 * on Postgres those that depend on the database. `tests/e2e/actions/actions-api.test.ts` checkRules them in pages.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startPlatform, type Platform } from '../../lib/local-platform/index.ts';
import { httpDriver } from '../support/action-rules/http.ts';
import { RULES } from '../support/action-rules/index.ts';
import { checkRule, RULE_PLATFORM } from '../support/action-rules/rule.ts';
import { onBothDatabases } from './support/databases.ts';

/** Bad input is refused before the database is involved. */
const INDEPENDENT = new Set(['bad input']);

onBothDatabases(({ kind, url }) => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ ...RULE_PLATFORM, databaseUrl: await url() });
  });
  afterAll(() => platform?.close());

  for (const [about, rules] of Object.entries(RULES)) {
    if (kind === 'Postgres' && INDEPENDENT.has(about)) continue;
    describe(about, () => {
      for (const rule of rules) it(rule.title, () => checkRule(platform, httpDriver(platform), rule));
    });
  }
});
