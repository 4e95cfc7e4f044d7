/** Recordings of random runs of the code: all cases, at random. */
import '../../../unit/migrate/recording-of.test.ts';
