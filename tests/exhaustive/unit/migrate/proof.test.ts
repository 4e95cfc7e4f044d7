/** Proofs of random pipelines: all cases, at random. */
import '../../../unit/migrate/proof.test.ts';
