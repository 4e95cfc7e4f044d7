/** The popup and the panel’s four tabs on a local platform. */
import '../../../e2e/modes/modes.test.ts';
