/** Ends `actions push` at each of its changes. */
import '../../platform/cli-actions-kill.test.ts';
