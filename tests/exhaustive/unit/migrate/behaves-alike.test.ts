/** Random V2 actions and their migrations: all cases, at random. */
import '../../../unit/migrate/behaves-alike.test.ts';
