/** What the command makes of bad input, with 10,000 steps. */
import '../../../platform/migrate/bad-input.test.ts';
