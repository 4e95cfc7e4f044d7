/**
 * Proves the rules of actions over HTTP (specification, “App Actions V2 JavaScript API”; decisions, “Actions”).
 * `tests/e2e/actions/actions-api.test.ts` checks some of them in pages.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { httpDriver } from '../support/action-rules/http.ts';
import { RULES } from '../support/action-rules/index.ts';
import { checkRule, RULE_PLATFORM } from '../support/action-rules/rule.ts';
import { onDatabase } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

/** Bad input is refused before the database is involved. */
const INDEPENDENT = new Set(['bad input']);

onDatabase(({ kind, url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ ...RULE_PLATFORM, databaseUrl: await url() });
  });
  afterAll(() => platform?.close());

  for (const [about, rules] of Object.entries(RULES)) {
    if (kind === 'Postgres' && INDEPENDENT.has(about)) continue;
    describe(about, () => {
      for (const rule of rules) it(rule.title, () => checkRule(platform, httpDriver(platform), rule));
    });
  }
});
