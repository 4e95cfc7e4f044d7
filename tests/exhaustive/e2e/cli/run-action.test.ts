/** Runs with both engines on the runtimes of all other installations. */
import '../../../e2e/cli/run-action.test.ts';
