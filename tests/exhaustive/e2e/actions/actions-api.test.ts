/** Tests all rules of actions through the JavaScript API, except those that exist only in pages. */
import { checkInPages } from '../../../support/action-rules/check-in-pages.ts';
import { RULES_OF_PAGES } from '../../../support/action-rules/index.ts';

checkInPages(RULES_OF_PAGES);
