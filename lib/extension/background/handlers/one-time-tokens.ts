/**
 * Requests one-time tokens for pages. Remembers which environments’ platforms have none, so that they’re asked once.
 */
import * as v from 'valibot';
import { toErrorValue } from '../../../platform-api/coded-error.ts';
import { issueOneTimeToken, type CallOptions, type Connection } from '../../../rest/index.ts';

/** The subset of `storage.local` that this module uses. */
export interface LocalArea {
  get(key: string): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
}

/** In milliseconds. Without a one-time token, the page opens with the environment’s. */
const TIME_LIMIT = 5_000;
/** Statuses of a platform that doesn’t know the endpoint. */
const HAS_NONE: ReadonlySet<number> = new Set([404, 405, 501]);
const KEY = 'oneTimeTokens.without';
/** Base URLs by environment ID: an environment with a new base URL is asked again. */
const Stored = v.record(v.string(), v.string());

export class OneTimeTokens {
  readonly #local: LocalArea;

  constructor(local: LocalArea) {
    this.#local = local;
  }

  /**
   * A token that opens the page once, or null if there's none.
   * @throws CodedError `ABORTED`
   */
  async issue(
    environmentId: string,
    connection: Connection,
    page: { appId: number; path: string },
    options: CallOptions = {},
  ): Promise<string | null> {
    const without = await this.#read();
    if (without[environmentId] === connection.baseUrl) return null;
    try {
      return await issueOneTimeToken(connection, page, { ...options, timeoutMs: TIME_LIMIT });
    } catch (error) {
      const { code, status = 0, said } = toErrorValue(error);
      if (code === 'ABORTED') throw error;
      // A platform that explains itself knows the endpoint: the app is missing.
      if (HAS_NONE.has(status) && !said)
        await this.#local.set({ [KEY]: { ...(await this.#read()), [environmentId]: connection.baseUrl } });
      return null;
    }
  }

  /** Asks the environment’s platform again the next time. */
  async forget(environmentId: string): Promise<void> {
    const { [environmentId]: removed, ...rest } = await this.#read();
    if (removed !== undefined) await this.#local.set({ [KEY]: rest });
  }

  async #read(): Promise<Record<string, string>> {
    const stored = v.safeParse(Stored, (await this.#local.get(KEY))[KEY]);
    return stored.success ? stored.output : {};
  }
}
