/** Stores sessions in `localStorage`, which all tabs of an origin share, or in memory if storage is full or blocked. */
import type { RecordFlow } from './flow.ts';
import { Promise, parse, stringify } from './intrinsics.ts';
import { s256 } from './pkce.ts';
import { readToken } from './tokens.ts';
import type { AuthResponse } from './types.ts';

/** How long a change to `localStorage` can take to reach another tab, in milliseconds. */
const STORAGE_LAG = 5_000;
/** Milliseconds. */
const STORAGE_POLL_INTERVAL = 20;

const PREFIX = 'platform-oauth2:';

type OnChange = (service: string, session: AuthResponse | null) => void;

/**
 * What makes a session the stored one, as text. Some services keep the access token when they refresh it, and change only
 * the refresh token or the expiry.
 */
export const identityOf = (session: AuthResponse | null) =>
  stringify(session, ['access_token', 'refresh_token', 'expires', 'scope', 'state']);

export class SessionStore {
  readonly #window: Window;
  readonly #record: RecordFlow;
  readonly #onChange: OnChange;
  readonly #memory = new Map<string, string>();
  /** The stored sessions that this tab knows of. */
  readonly #known = new Map<string, string>();
  /** For each service, releases the lock of the session that this tab refreshed last. */
  readonly #releaseRefreshed = new Map<string, () => void>();

  /** @param onChange called when another tab logs in, or ends a session (null) */
  constructor(window: Window, record: RecordFlow, onChange: OnChange) {
    this.#window = window;
    this.#record = record;
    this.#onChange = onChange;
    window.addEventListener('storage', (event) => this.#onStorage(event));
  }

  read(service: string): AuthResponse | null {
    const stored = this.#memory.get(service) ?? this.#readText(service);
    if (stored) this.#known.set(service, stored);
    return parseSession(stored, service);
  }

  #readText(service: string): string | null {
    return this.#withStorage((storage) => storage.getItem(PREFIX + service));
  }

  /** @param refreshed whether the session continues the stored one, so that other tabs don’t report a login */
  store(session: AuthResponse, refreshed?: boolean): AuthResponse {
    const { service } = session;
    const text = stringify({ ...session, refreshed });
    const persistent = this.#withStorage((storage) => storage.setItem(PREFIX + service, text)) !== null;
    this.#known.set(service, text);
    this.#memory.delete(service);
    if (!persistent) {
      // Prevents an older session from coming back when the page is reloaded.
      this.#withStorage((storage) => storage.removeItem(PREFIX + service));
      this.#memory.set(service, text);
      console.warn(
        `Couldn’t store the session for “${service}”: storage is full or blocked. ` +
          'The session is lost when this page closes or reloads.',
      );
    }
    this.#record(service, { kind: 'session', change: 'stored', persistent });
    return session;
  }

  remove(service: string): void {
    this.#memory.delete(service);
    this.#known.delete(service);
    const persistent = this.#withStorage((storage) => storage.removeItem(PREFIX + service)) !== null;
    this.#record(service, { kind: 'session', change: 'removed', persistent });
  }

  /** Runs `refresh` while no other tab does. First waits for the session that another tab might just have received. */
  async refreshOnce(used: AuthResponse, refresh: () => Promise<AuthResponse>): Promise<AuthResponse> {
    const { locks } = this.#window.navigator;
    const name = PREFIX + used.service;
    let refreshing: Promise<AuthResponse> | undefined;
    try {
      const refreshed = `${name} ${await s256(identityOf(used))}`;
      return await locks.request(name, async () => {
        this.#releaseRefreshed.get(name)?.();
        await this.#waitForOtherTab(used, refreshed);
        const session = await (refreshing = refresh());
        // The stored session might reach a tab in another process later than the lock does. A second lock, held until
        // the next refresh, indicates that this session has been refreshed.
        if (identityOf(session) !== identityOf(used))
          void locks.request(
            refreshed,
            () => new Promise<void>((resolve) => void this.#releaseRefreshed.set(name, resolve)),
          );
        return session;
      });
    } catch {
      // Locks aren’t available on http pages or if storage is blocked. In any other case, the refresh itself failed.
      return refreshing ?? refresh();
    }
  }

  async #waitForOtherTab(used: AuthResponse, refreshedLock: string): Promise<void> {
    const { held } = await this.#window.navigator.locks.query();
    if (!held!.some(({ name }) => name === refreshedLock)) return;
    const end = performance.now() + STORAGE_LAG;
    while (identityOf(this.read(used.service)) === identityOf(used) && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, STORAGE_POLL_INTERVAL));
    }
  }

  #onStorage({ key, oldValue, newValue }: StorageEvent): void {
    if (key?.startsWith(PREFIX)) this.#onChangeElsewhere(key.slice(PREFIX.length), oldValue, newValue);
    // `localStorage.clear()` reports neither keys nor values.
    if (key === null)
      for (const [service, text] of new Map(this.#known))
        this.#onChangeElsewhere(service, text, this.#readText(service));
  }

  #onChangeElsewhere(service: string, oldText: string | null, newText: string | null): void {
    const before = parseSession(oldText, service);
    const session = parseSession(newText, service);
    this.#memory.delete(service);
    this.#known.delete(service);
    if (newText) this.#known.set(service, newText);
    this.#record(service, { kind: 'session', change: 'changed-elsewhere', persistent: true });
    // A login can have the same state and scopes as the session that it replaces, so a refresh says that it is one.
    const isRefresh = before && session && (parse(newText!) as { refreshed?: true }).refreshed;
    if (identityOf(before) !== identityOf(session) && !isRefresh) this.#onChange(service, session);
  }

  /** Null if storage is full or blocked. Even reading the property can throw. */
  #withStorage<T>(work: (storage: Storage) => T): T | null {
    try {
      return work(this.#window.localStorage);
    } catch {
      return null;
    }
  }
}

/** Null if the value isn’t a session: any script on the origin can write there, and library versions differ. */
function parseSession(text: string | null, service: string): AuthResponse | null {
  try {
    const stored = parse(text!) as Partial<AuthResponse>;
    const token = readToken({ ...stored }, 0);
    if (typeof token === 'string') return null;
    const { state, expires } = stored;
    return {
      service,
      scope: '',
      state: String(state ?? ''),
      ...token,
      expires: Number.isFinite(expires) ? expires : undefined,
    };
  } catch {
    return null;
  }
}
