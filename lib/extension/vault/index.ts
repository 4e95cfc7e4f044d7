export { VAULT_NAME } from './database.ts';
export { deleteDatabase } from './delete-database.ts';
export type { SessionKey, SessionKeys } from './keys.ts';
export { Vault } from './vault.ts';
