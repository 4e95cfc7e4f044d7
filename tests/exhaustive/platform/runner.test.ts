/** One run in its own process: all ways to be stopped, and all depths of a result. */
import '../../platform/runner.test.ts';
