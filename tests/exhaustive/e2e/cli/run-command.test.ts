/** `run` as people and scripts use it, with each signal. */
import '../../../e2e/cli/run-command.test.ts';
