/** Whatever strings an action consists of: all cases, at random, and texts of a megabyte. */
import '../../../unit/migrate/hostile.test.ts';
