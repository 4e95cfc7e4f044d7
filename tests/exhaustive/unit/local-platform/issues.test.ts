/** The issues of a body that has 150,000 of them. */
import '../../../unit/local-platform/issues.test.ts';
