/** Runs of V3 actions, also of code that blocks its process, and with all sizes of payloads. */
import '../../../platform/actions-v3/run.test.ts';
