/** All tests of actions, also with so many versions that it takes long. */
import '../../platform/actions.test.ts';
