/** `npm test` on a project that hangs, ended by each signal. */
import '../../../unit/support/run-tests.test.ts';
