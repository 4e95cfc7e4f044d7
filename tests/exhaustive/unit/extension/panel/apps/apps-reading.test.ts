/** Reads all sessions of an app with more changes between pages than `npm test`. */
import '../../../../../unit/extension/panel/apps/apps-reading.test.ts';
