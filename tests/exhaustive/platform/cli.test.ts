/** The command `platform-devtools platform`, with each signal. */
import '../../platform/cli.test.ts';
