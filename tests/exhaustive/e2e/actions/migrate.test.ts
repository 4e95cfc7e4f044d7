/** *Migrate to V3* in a real browser, also edited during a proof, and started over. */
import '../../../e2e/actions/migrate.test.ts';
