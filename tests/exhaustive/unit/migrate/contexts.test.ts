/** Comparisons of contexts: all cases, at random. */
import '../../../unit/migrate/contexts.test.ts';
