/** The vault, with more contents of its database than in `npm test`. */
import '../../../../unit/extension/vault/vault.test.ts';
