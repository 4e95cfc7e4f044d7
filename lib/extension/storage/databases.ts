/** Lists the extension’s databases and their limits. Each database’s module defines its migrations. */

export interface KnownDatabase {
  name: string;
  /** Shown to users. */
  title: string;
  /** The newest version that this release of the extension supports. */
  version: number;
  /** The object stores of that version. */
  stores: readonly string[];
  /** The stores to export, excluding those with tokens or keys. `all` includes stores that only a newer version has. */
  exportable: readonly string[] | 'all';
}

export const VAULT_DATABASE = {
  name: 'platform-devtools-vault',
  title: 'Environments',
  version: 2,
  stores: ['environments', 'tokens', 'keys', 'aside'],
  exportable: ['environments', 'aside'],
} as const satisfies KnownDatabase;

export const PUBLISH_DATABASE = {
  name: 'platform-devtools-publishes',
  title: 'Publishes',
  version: 2,
  stores: ['publishes', 'aside'],
  exportable: 'all',
} as const satisfies KnownDatabase;

export const RUN_DATABASE = {
  name: 'platform-devtools-runs',
  title: 'Runs and payloads',
  version: 4,
  stores: ['runs', 'events', 'recordings', 'payloads', 'debugging', 'aside'],
  exportable: 'all',
} as const satisfies KnownDatabase;

export const DATABASES: readonly KnownDatabase[] = [VAULT_DATABASE, PUBLISH_DATABASE, RUN_DATABASE];
