/** Connects handlers to environments, and shares responses between concurrent callers. */
import type { CallOptions, Connection } from '../../../rest/index.ts';
import type { Vault } from '../../vault/index.ts';
import { Coalescer } from '../coalesce.ts';
import { needAccess, type Permissions } from '../host-access.ts';

export class Connections {
  readonly coalescer = new Coalescer();
  readonly #vault: Pick<Vault, 'connection'>;
  readonly #permissions: Permissions;

  constructor(vault: Pick<Vault, 'connection'>, permissions: Permissions) {
    this.#vault = vault;
    this.#permissions = permissions;
  }

  /** The stored connection of an environment that the browser allows requests to. */
  async connect(environmentId: string): Promise<Connection> {
    const connection = await this.#vault.connection(environmentId);
    await needAccess(this.#permissions, connection.baseUrl);
    return connection;
  }

  /**
   * Joins concurrent callers with the same key. Each one reads the vault itself, so none gets a response from before the vault
   * was locked.
   */
  async read<T>(
    environmentId: string,
    key: readonly unknown[],
    caller: AbortSignal | undefined,
    request: (connection: Connection, options: CallOptions) => Promise<T>,
  ): Promise<T> {
    let own: Promise<Connection> | undefined;
    const shared = this.coalescer.join(
      [...key, environmentId],
      async (signal) => request(await (own = this.connect(environmentId)), { signal }),
      caller,
    );
    shared.catch(() => {});
    await (own ?? this.connect(environmentId));
    return shared;
  }

  /** Changes something on the platform. Later callers don’t join requests from before. */
  async change<T>(environmentId: string, request: (connection: Connection) => Promise<T>): Promise<T> {
    return request(await this.connect(environmentId)).finally(() => this.coalescer.clear());
  }
}
