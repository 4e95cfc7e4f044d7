/** Owns the platform's time as tab *Actions* goes by it: the machine's, or a virtual one that a person moves. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { Send } from '../../messaging/protocol.ts';
import { plural } from '../../../shared/format.ts';

export interface PlatformClock {
  /** Where a virtual clock stands, in epoch milliseconds; null where the platform has the time of its machine, or tells none. */
  readonly virtual: ReadonlySignal<number | null>;
  readonly moving: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** What moving it last did, in a sentence. */
  readonly summary: ReadonlySignal<string>;
  refresh(): Promise<void>;
  /** On to a time, in epoch milliseconds, through all that is scheduled on the way; a day at a time, which `stop` ends. */
  moveTo(time: number): Promise<void>;
  stop(): void;
  dismiss(): void;
  reset(): void;
}

const DAY = 86_400_000;

/** @param moved told when runs may have been queued, and times changed */
export function createPlatformClock(
  send: Send,
  environmentId: () => string | null,
  moved: () => Promise<void>,
): PlatformClock {
  const now = signal<number | null>(null);
  const queued = signal<number | null>(null);
  const moving = signal(false);
  const error = signal<ErrorValue | null>(null);
  let target = 0;

  async function read(): Promise<void> {
    const id = environmentId();
    if (id === null) return;
    const answer = await send('clock.get', { environmentId: id });
    // An installation of the platform has no such endpoint: its time is everybody's.
    if (id === environmentId() && answer.ok) now.value = answer.value.virtual ? Date.parse(answer.value.now) : null;
  }

  return {
    virtual: now,
    moving,
    error,
    refresh: read,
    summary: computed(() =>
      queued.value === null
        ? ''
        : queued.value === 0
          ? 'Nothing was scheduled until then.'
          : `${plural(queued.value, 'scheduled run')} ${queued.value === 1 ? 'was' : 'were'} queued.`,
    ),
    async moveTo(time) {
      const id = environmentId();
      if (id === null || now.peek() === null || moving.peek()) return;
      target = time;
      batch(() => {
        moving.value = true;
        error.value = null;
        queued.value = 0;
      });
      for (let at = now.peek(); at !== null && at < target && id === environmentId(); at = now.peek()) {
        const answer = await send('clock.move', {
          environmentId: id,
          to: new Date(Math.min(at + DAY, target)).toISOString(),
        });
        if (id !== environmentId()) break;
        if (!answer.ok) {
          error.value = answer.error;
          // It may have moved all the same, or somebody else moved it further.
          await read();
          break;
        }
        batch(() => {
          now.value = Date.parse(answer.value.now);
          queued.value = (queued.peek() ?? 0) + answer.value.queued;
        });
      }
      moving.value = false;
      if (id === environmentId()) await moved();
    },
    stop: () => void (target = 0),
    dismiss: () => void (error.value = null),
    reset: () =>
      batch(() => {
        now.value = null;
        queued.value = null;
        error.value = null;
      }),
  };
}
