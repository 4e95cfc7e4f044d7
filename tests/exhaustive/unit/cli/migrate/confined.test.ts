/** Code under proof that wasn’t changed, or that waits anywhere. */
import '../../../../unit/cli/migrate/confined.test.ts';
