export { VAULT_NAME } from './database.ts';
export { deleteDatabase } from './delete-database.ts';
export type { SessionKey, SessionKeys } from './keys.ts';
export { createVault } from './vault.ts';
export type { Vault } from './vault.ts';
