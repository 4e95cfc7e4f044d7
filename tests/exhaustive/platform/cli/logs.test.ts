/** The command `logs` on a real platform, which fails in each way while it follows, and has many new records at once. */
import '../../../platform/cli/logs.test.ts';
