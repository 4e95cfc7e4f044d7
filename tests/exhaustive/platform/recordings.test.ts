/** All tests of recordings on the platform, also those that take long. */
import '../../platform/recordings.test.ts';
