export { VAULT_NAME } from './database.ts';
export type { SessionKey, SessionKeys } from './keys.ts';
export { Vault } from './vault.ts';
