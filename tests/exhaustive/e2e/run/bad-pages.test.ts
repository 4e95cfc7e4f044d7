/** Every page of other installations, in real DevTools. */
import { test } from 'vitest';
import {
  ForeignPagesBed,
  foreignPageTests,
  LEAVING,
  RETURNED,
  THROWN,
  UNUSABLE,
} from '../../../support/foreign-page-tests.ts';
import { FOREIGN_RUNTIME_NAMES } from '../../../support/servers/foreign-runtimes.ts';

const foreign = new ForeignPagesBed('devtools');
foreignPageTests(foreign, {
  unusable: UNUSABLE,
  thrown: THROWN,
  returned: RETURNED,
  leaving: LEAVING,
  areUsedAfterward: true,
});

test('functions of every foreign runtime are known and traced after Open', async () => {
  const panel = await foreign.openedElsewhere();
  for (const runtime of FOREIGN_RUNTIME_NAMES) await foreign.expectTraced(panel, runtime);
});
