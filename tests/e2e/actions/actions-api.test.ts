/**
 * Tests the rules of actions that exist only in an app’s real pages, and some of the others.
 * `tests/platform/actions-rules.test.ts` tests all others over HTTP, and `tests/exhaustive/e2e` in pages, too.
 */
import { checkInPages } from '../../support/action-rules/check-in-pages.ts';
import { IN_PAGES } from '../../support/action-rules/in-pages.ts';
import { someRules } from '../../support/action-rules/index.ts';

checkInPages({ 'over HTTP, too': someRules(40), 'only in pages': IN_PAGES });
