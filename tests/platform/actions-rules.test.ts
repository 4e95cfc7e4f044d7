/** Every rule of actions over HTTP (specification, "App Actions V2 JavaScript API"; decisions, "Actions"); `tests/e2e/actions/actions-api.test.ts` has them in pages. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startPlatform, type Platform } from '../../lib/local-platform/index.ts';
import { httpDriver } from '../support/action-rules/http.ts';
import { RULES } from '../support/action-rules/index.ts';
import { prove, RULE_PLATFORM } from '../support/action-rules/rule.ts';
import { onBothDatabases } from './support/databases.ts';

onBothDatabases(({ url }) => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ ...RULE_PLATFORM, databaseUrl: await url() });
  });
  afterAll(() => platform?.close());

  for (const [about, rules] of Object.entries(RULES)) {
    describe(about, () => {
      for (const rule of rules) it(rule.says, () => prove(platform, httpDriver(platform), rule));
    });
  }
});
