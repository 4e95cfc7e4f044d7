/** Generated runs of random pipelines: all cases, at random. */
import '../../../unit/migrate/generate.test.ts';
