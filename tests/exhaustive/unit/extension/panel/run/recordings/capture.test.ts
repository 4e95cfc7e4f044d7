/** Stores the recording of a run, also one that exceeds the real limit of the database. */
import '../../../../../../unit/extension/panel/run/recordings/capture.test.ts';
