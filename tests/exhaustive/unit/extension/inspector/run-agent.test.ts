/** The events of a run, also of 100,000 steps. */
import '../../../../unit/extension/inspector/run-agent.test.ts';
