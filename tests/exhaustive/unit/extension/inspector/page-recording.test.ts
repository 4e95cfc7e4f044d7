/** Recordings in the page, also of 100,000 steps. */
import '../../../../unit/extension/inspector/page-recording.test.ts';
