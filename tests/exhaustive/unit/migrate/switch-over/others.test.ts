/** Two panels that are stopped at every pair of operations. */
import '../../../../unit/migrate/switch-over/others.test.ts';
