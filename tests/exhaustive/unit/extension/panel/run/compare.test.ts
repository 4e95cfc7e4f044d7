/** Compares runs, also of 60,000 steps. */
import '../../../../../unit/extension/panel/run/compare.test.ts';
