/** Conditions that can’t escape or make a run hang, with the slowest ones. */
import '../../../unit/pipeline/condition-escapes.test.ts';
