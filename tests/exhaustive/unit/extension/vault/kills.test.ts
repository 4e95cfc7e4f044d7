/** Kills workers of the vault at more kinds of steps, and in more histories, than `npm test`. */
import '../../../../unit/extension/vault/kills.test.ts';
