/** Connects handlers to environments, and shares responses between concurrent callers. */
import { type CallOptions, type Connection, listApps } from '../../../rest/index.ts';
import type { Vault } from '../../vault/index.ts';
import { Coalescer } from '../coalesce.ts';
import type { EndpointGates } from './endpoint-gates.ts';
import type { ChangeSender } from '../changes/change-sender.ts';
import { needAccess, type Permissions } from './host-access.ts';

export class Connections {
  readonly coalescer = new Coalescer();
  readonly #vault: Pick<Vault, 'connection'>;
  readonly #permissions: Permissions;
  readonly #gates: Pick<EndpointGates, 'at'>;
  readonly #changes: ChangeSender | undefined;

  /** @param changes how changes are sent; by default, with `fetch` */
  constructor(
    vault: Pick<Vault, 'connection'>,
    permissions: Permissions,
    gates: Pick<EndpointGates, 'at'>,
    changes?: ChangeSender,
  ) {
    this.#vault = vault;
    this.#permissions = permissions;
    this.#gates = gates;
    this.#changes = changes;
  }

  /** The stored connection of an environment. The browser must allow requests to its host. */
  async connect(environmentId: string): Promise<Connection & { namespace: string }> {
    const connection = await this.#vault.connection(environmentId);
    await this.prepare(connection.baseUrl);
    const { baseUrl } = connection;
    const gate = this.#gates.at(baseUrl, (signal) => listApps(connection, { signal }));
    return { ...connection, changes: this.#changes?.channel(baseUrl), gate };
  }

  /** Must be called before the first request to a platform. @throws CodedError `HOST_PERMISSION_MISSING` */
  async prepare(baseUrl: string): Promise<void> {
    await needAccess(this.#permissions, baseUrl);
    await this.#changes?.prepare(baseUrl);
  }

  /** Called when environments have changed, with all that are left. */
  async replace(environments: readonly { baseUrl: string }[]): Promise<void> {
    await this.#changes?.replace(environments.map(({ baseUrl }) => baseUrl)).catch(() => {});
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
