/** Whatever strings an action consists of: all cases, at random. */
import '../../../unit/migrate/hostile.test.ts';
