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

  /** The stored connection of an environment. The browser must allow requests to its host. */
  async connect(environmentId: string): Promise<Connection> {
    const connection = await this.#vault.connection(environmentId);
    await needAccess(this.#permissions, connection.baseUrl);
    return connection;
  }

  /**
   * Shares one response between concurrent callers with the same key. Each caller reads the vault first, so that once
   * the vault is locked, no caller can join a request that started before.
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

  /** Makes a change on the platform. Later callers don’t join requests that started before it. */
  async change<T>(environmentId: string, request: (connection: Connection) => Promise<T>): Promise<T> {
    return request(await this.connect(environmentId)).finally(() => this.coalescer.clear());
  }
}
