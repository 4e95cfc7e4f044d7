/** Debug pages that are bad, and runs on them that are canceled at each moment. */
import '../../../e2e/cli/run-bad-pages.test.ts';
