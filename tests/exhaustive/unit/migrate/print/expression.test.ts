/** Random expressions: all cases, at random. */
import '../../../../unit/migrate/print/expression.test.ts';
