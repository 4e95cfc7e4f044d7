/** Tracks how many users have a version, and polls the platform as rarely as possible. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { HostPage } from './host-page.ts';
import type { Sessions } from './sessions.ts';
import type { AdoptionPoint } from './types.ts';

/** Time between checks in milliseconds: at first, and while nothing changes. */
const SHORTEST_WAIT = 5_000;
const LONGEST_WAIT = 60_000;
/** The longest wait after failures, in milliseconds. */
const LONGEST_RETRY_WAIT = 600_000;
/** Loading many sessions is expensive for the platform, so checks take at most a twentieth of the time. */
const WAIT_PER_CHECK = 20;
/** In milliseconds. A version is tracked for at most a day. */
const DAY = 86_400_000;
/** Must be even, so that keeping every other one of `POINT_LIMIT + 1` points keeps both the first and the last. */
const POINT_LIMIT = 300;

export interface AdoptionOptions {
  refresh: Sessions['refreshQuietly'];
  host: HostPage;
}

export class Adoption {
  readonly #version = signal<number | null>(null);
  readonly #points = signal<readonly AdoptionPoint[]>([]);
  readonly #error = signal<ErrorValue | null>(null);
  readonly #isPaused = signal(false);
  readonly #end = signal<'all' | 'over' | null>(null);
  /** When the next check is due, in epoch milliseconds. */
  readonly #due = signal<number | null>(null);
  readonly #current = signal<AbortController | null>(null);
  readonly #refresh: AdoptionOptions['refresh'];
  readonly #host: HostPage;
  readonly #stopEffects: (() => void)[];
  #since = 0;
  #wait = SHORTEST_WAIT;
  #failures = 0;
  #check: Promise<void> = Promise.resolve();

  /** The tracked version; null if none. */
  readonly version = computed(() => this.#version.value);
  readonly points = computed(() => this.#points.value);
  /** The last check's error. The next check is scheduled regardless. */
  readonly error = computed(() => this.#error.value);
  readonly checking = computed(() => this.#current.value !== null);
  /** `paused` includes the time while the page is hidden. `all`: all users have the version. `over`: a day has passed. */
  readonly state = computed((): 'idle' | 'watching' | 'paused' | 'all' | 'over' => {
    if (this.#version.value === null) return 'idle';
    if (this.#end.value) return this.#end.value;
    return this.#isPaused.value || !this.#host.isVisible.value ? 'paused' : 'watching';
  });
  /** When the next check is due, in epoch milliseconds; null if none is scheduled. */
  readonly nextCheckAt = computed(() =>
    this.state.value === 'watching' && !this.checking.value ? this.#due.value : null,
  );

  constructor({ refresh, host }: AdoptionOptions) {
    this.#refresh = refresh;
    this.#host = host;
    this.#stopEffects = [
      effect(() => {
        const at = this.nextCheckAt.value;
        if (at !== null) return host.later(() => void this.check(), Math.max(0, at - host.now()));
      }),
      // Retry offline failures as soon as the network is back.
      effect(() => {
        if (host.isOnline.value) untracked(() => this.#retry());
      }),
    ];
  }

  watch(version: number): void {
    this.stop();
    this.#since = this.#host.now();
    this.#wait = SHORTEST_WAIT;
    this.#failures = 0;
    this.#version.value = version;
    void this.check();
  }

  check(): Promise<void> {
    const version = this.#version.peek();
    if (version === null) return Promise.resolve();
    if (this.#current.peek()) return this.#check;
    const current = new AbortController();
    this.#current.value = current;
    return (this.#check = this.#load(current.signal, version));
  }

  pause = (): void => {
    this.#isPaused.value = true;
  };

  resume = (): void => {
    this.#isPaused.value = false;
  };

  stop = (): void => {
    this.#current.peek()?.abort();
    batch(() => {
      this.#version.value = null;
      this.#current.value = null;
      this.#points.value = [];
      this.#error.value = null;
      this.#isPaused.value = false;
      this.#end.value = null;
      this.#due.value = null;
    });
  };

  dispose(): void {
    this.stop();
    for (const stop of this.#stopEffects) stop();
  }

  #retry(): void {
    if (this.#error.peek() && this.#due.peek() !== null) this.#due.value = this.#host.now();
  }

  async #load(signal: AbortSignal, version: number): Promise<void> {
    const started = this.#host.now();
    const result = await this.#refresh(signal);
    if (result === null) return;
    const at = this.#host.now();
    batch(() => {
      this.#current.value = null;
      this.#error.value = result.ok ? null : result.error;
      this.#failures = result.ok ? 0 : this.#failures + 1;
      let hasAll = false;
      if (result.ok) {
        let on = 0;
        for (const user of result.value.values()) if (user.version !== null && user.version >= version) on++;
        const users = result.value.size;
        this.#addPoint({ at, on, users });
        hasAll = users > 0 && on === users;
      }
      this.#end.value = hasAll ? 'all' : at - this.#since >= DAY ? 'over' : null;
      const wait = result.ok ? this.#wait : this.#retryWait(result.error);
      this.#due.value = at + Math.min(DAY, Math.max(wait, (at - started) * WAIT_PER_CHECK));
    });
  }

  #retryWait({ retryAfter = 0 }: ErrorValue): number {
    return Math.max(Math.min(LONGEST_RETRY_WAIT, this.#wait * 2 ** this.#failures), retryAfter * 1_000);
  }

  #addPoint(point: AdoptionPoint): void {
    const last = this.#points.peek().at(-1);
    const isChanged = last?.on !== point.on || last.users !== point.users;
    this.#wait = isChanged ? SHORTEST_WAIT : Math.min(LONGEST_WAIT, this.#wait * 1.5);
    this.#points.value = withPoint(this.#points.peek(), point);
  }
}

/**
 * Keeps only the first and last points of a period without changes. If there are too many points, keeps every other
 * one.
 */
function withPoint(points: readonly AdoptionPoint[], point: AdoptionPoint): AdoptionPoint[] {
  const isPlateau =
    points.length > 1 && points.slice(-2).every(({ on, users }) => on === point.on && users === point.users);
  const all = [...(isPlateau ? points.slice(0, -1) : points), point];
  return all.length <= POINT_LIMIT ? all : all.filter((_, index) => index % 2 === 0);
}
