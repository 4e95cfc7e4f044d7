/** Owns following one version to its users: asking again and again, as seldom as it can be. */
import { batch, computed, effect, signal, untracked } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { HostPage } from './host-page.ts';
import type { AppSessions } from './sessions.ts';
import type { Adoption, AdoptionPoint } from './types.ts';

/** Milliseconds between two questions: at first, and while nothing changes. */
const SOONEST = 5_000;
const CALM = 60_000;
/** After failures. */
const LATEST = 600_000;
/** Reading many sessions takes the platform's time too: it is at it for a twentieth of the time at most. */
const REST = 20;
/** How long a version is followed. */
const DAY = 86_400_000;
/** An even number: of one more than it, every second one has the first and the last among them. */
const MOST_POINTS = 300;

export function createAdoption({
  readAgain,
  world,
}: {
  readAgain: AppSessions['refreshQuietly'];
  world: HostPage;
}): Adoption {
  const version = signal<number | null>(null);
  const points = signal<readonly AdoptionPoint[]>([]);
  const error = signal<ErrorValue | null>(null);
  const isHeld = signal(false);
  const isDone = signal(false);
  /** When the next question is due. */
  const due = signal<number | null>(null);
  const running = signal<AbortController | null>(null);
  const state = computed(() =>
    version.value === null
      ? 'idle'
      : isDone.value
        ? 'done'
        : isHeld.value || !world.isVisible.value
          ? 'paused'
          : 'watching',
  );
  let since = 0;
  let pause = SOONEST;
  let failures = 0;
  let lookedBy: Promise<void> = Promise.resolve();

  async function ask(mine: AbortController, wanted: number): Promise<void> {
    const started = world.now();
    const answer = await readAgain(mine.signal);
    if (answer === null) return;
    const at = world.now();
    batch(() => {
      running.value = null;
      error.value = answer.ok ? null : answer.error;
      failures = answer.ok ? 0 : failures + 1;
      let hasAll = false;
      if (answer.ok) {
        let on = 0;
        const users = answer.value;
        for (const user of users.values()) if (user.version !== null && user.version >= wanted) on++;
        pause = isNews(points.peek(), on, users.size) ? SOONEST : Math.min(CALM, pause * 1.5);
        points.value = withPoint(points.peek(), { at, on, users: users.size });
        hasAll = users.size > 0 && on === users.size;
      }
      isDone.value = hasAll || at - since >= DAY;
      const wait = answer.ok
        ? pause
        : Math.max(Math.min(LATEST, pause * 2 ** failures), (answer.error.retryAfter ?? 0) * 1000);
      due.value = at + Math.min(DAY, Math.max(wait, (at - started) * REST));
    });
  }

  function look(): Promise<void> {
    const wanted = version.peek();
    if (wanted === null) return Promise.resolve();
    if (running.peek()) return lookedBy;
    const mine = new AbortController();
    running.value = mine;
    return (lookedBy = ask(mine, wanted));
  }

  function forget(): void {
    running.peek()?.abort();
    batch(() => {
      version.value = null;
      running.value = null;
      points.value = [];
      error.value = null;
      isHeld.value = false;
      isDone.value = false;
      due.value = null;
    });
  }

  const nextAt = computed(() => (state.value === 'watching' && !running.value ? due.value : null));
  const stopAsking = effect(() => {
    if (nextAt.value !== null) return world.later(() => void look(), Math.max(0, nextAt.value - world.now()));
  });
  // What failed without a network need not wait for its turn.
  const stopListening = effect(() => {
    if (world.isOnline.value)
      untracked(() => {
        if (error.peek() && due.peek() !== null) due.value = world.now();
      });
  });

  return {
    version,
    points,
    state,
    error,
    nextCheckAt: nextAt,
    check: look,
    checking: computed(() => running.value !== null),
    watch(wanted) {
      forget();
      since = world.now();
      pause = SOONEST;
      failures = 0;
      version.value = wanted;
      void look();
    },
    pause: () => void (isHeld.value = true),
    resume: () => void (isHeld.value = false),
    stop: forget,
    dispose() {
      forget();
      stopAsking();
      stopListening();
    },
  };
}

function isNews(points: readonly AdoptionPoint[], on: number, users: number): boolean {
  const last = points.at(-1);
  return !last || last.on !== on || last.users !== users;
}

/** Of a time without news the ends alone; where there is one too many, every second one. */
function withPoint(points: readonly AdoptionPoint[], point: AdoptionPoint): AdoptionPoint[] {
  const isPlateau =
    points.length > 1 && points.slice(-2).every(({ on, users }) => on === point.on && users === point.users);
  const all = [...(isPlateau ? points.slice(0, -1) : points), point];
  return all.length <= MOST_POINTS ? all : all.filter((_, index) => index % 2 === 0);
}
