/** Tokens under a passphrase on every surface, also with wrong passphrases, exported, and after everything was erased. */
import '../../../e2e/background/vault.test.ts';
