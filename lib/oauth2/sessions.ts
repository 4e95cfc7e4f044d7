/** Owns where sessions live: `localStorage`, which all tabs of an origin share, and memory where that is full or blocked. */
import type { Flow } from './flow.ts';
import { Promise, parse, stringify } from './globals.ts';
import { LATE, PAUSE } from './limits.ts';
import { s256 } from './pkce.ts';
import { readToken } from './tokens.ts';
import type { AuthResponse } from './types.ts';

const PREFIX = 'platform-oauth2:';

export interface Sessions {
  read(service: string): AuthResponse | null;
  /** Answers what it was given. */
  store(session: AuthResponse): AuthResponse;
  remove(service: string): void;
  /** The session that took the place of `used`: another tab's at the same time, otherwise what `renew` answers, which no other tab then asks for. */
  once(used: AuthResponse, renew: () => Promise<AuthResponse>): Promise<AuthResponse>;
}

/** @param changed told when another tab began or ended a session; null: ended */
export function createSessions(
  window: Window,
  tell: Flow['tell'],
  changed: (service: string, session: AuthResponse | null) => void,
): Sessions {
  const memory = new Map<string, string>();
  let release = () => {};

  /** Null where storage is full or blocked: reading the property alone can throw. */
  function attempt<T>(work: (storage: Storage) => T): T | null {
    try {
      return work(window.localStorage);
    } catch {
      return null;
    }
  }
  /** Whether it is done; without a text it is removed. */
  function write(service: string, text?: string): boolean {
    memory.delete(service);
    return (
      attempt((storage) => (text ? storage.setItem(PREFIX + service, text) : storage.removeItem(PREFIX + service))) !==
      null
    );
  }

  const read = (service: string) =>
    toSession(memory.get(service) ?? attempt((storage) => storage.getItem(PREFIX + service)), service);

  window.addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (!key?.startsWith(PREFIX)) return;
    const service = key.slice(PREFIX.length);
    const session = toSession(newValue, service);
    memory.delete(service);
    tell(service, { kind: 'session', change: 'changed-elsewhere', persistent: true });
    if (!toSession(oldValue, service) !== !session) changed(service, session);
  });

  return {
    read,
    store(session) {
      const { service } = session;
      const text = stringify(session);
      const persistent = write(service, text);
      if (!persistent) {
        // What is there is of an older session, and must not come back with a reload.
        write(service);
        memory.set(service, text);
        console.warn(`${service}: storage is full or blocked, so the session ends with this page.`);
      }
      tell(service, { kind: 'session', change: 'stored', persistent });
      return session;
    },
    remove(service) {
      tell(service, { kind: 'session', change: 'removed', persistent: write(service) });
    },
    async once(used, renew) {
      const { locks } = window.navigator;
      const name = PREFIX + used.service;
      let begun: ReturnType<typeof renew> | undefined;
      try {
        const renewed = `${name} ${await s256(used.access_token)}`;
        return await locks.request(name, async () => {
          // The storage of a tab in another process may follow later than its lock: that it renewed this session is told by a second lock, which it keeps.
          release();
          const { held } = await locks.query();
          for (
            let end = Date.now() + LATE;
            held!.some((lock) => lock.name === renewed) &&
            read(used.service)?.access_token === used.access_token &&
            Date.now() < end;
          ) {
            await new Promise((resolve) => setTimeout(resolve, PAUSE));
          }
          const session = await (begun = renew());
          void locks.request(renewed, () => new Promise<void>((resolve) => (release = resolve)));
          return session;
        });
      } catch {
        // No locks on http, and none where storage is blocked; otherwise it was the renewing itself that failed.
        return begun ?? renew();
      }
    },
  };
}

/** A stored text as a session, null when it is none: anybody on the origin can write there, and versions of this library differ. */
function toSession(text: string | null, service: string): AuthResponse | null {
  try {
    const found = parse(text!) as Partial<AuthResponse>;
    const token = readToken({ ...found }, 0);
    if (typeof token === 'string') return null;
    const { expires } = found;
    return {
      service,
      scope: '',
      state: String(found.state ?? ''),
      ...token,
      expires: Number.isFinite(expires) ? expires : undefined,
    };
  } catch {
    return null;
  }
}
