/** Comparing runs in the panel, also with an inserted item and values that always differ. */
import '../../../e2e/run/compare.test.ts';
