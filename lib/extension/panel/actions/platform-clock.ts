/** The platform's time: the virtual clock's, which can be moved, or this computer's. */
import { batch, computed, signal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { plural } from '../../../shared/format.ts';
import type { Send } from '../../messaging/protocol.ts';
import { clockQuestion } from '../shared/guard-questions.ts';
import type { Guard } from '../shared/production-guard.ts';

const DAY = 86_400_000;

/**
 * Epoch milliseconds from the platform's virtual clock, or from `now()` if it has none.
 * @param offset how far ahead of `now()` the platform was, for when its clock can't be read
 */
export async function platformTime(
  send: Send,
  environmentId: string,
  { now, offset }: { now: () => number; offset: number },
  signal: AbortSignal,
): Promise<number> {
  const response = await send('clock.get', { environmentId }, signal);
  if (!response.ok) return now() + offset;
  return response.value.virtual ? Date.parse(response.value.now) : now();
}

export class PlatformClock {
  /** The virtual clock's time in epoch milliseconds; null if the platform has none. */
  readonly virtual = signal<number | null>(null);
  readonly moving = signal(false);
  readonly error = signal<ErrorValue | null>(null);
  readonly #queued = signal<number | null>(null);
  #target = 0;
  readonly #send: Send;
  readonly #environmentId: () => string | null;
  readonly #guard: Guard;
  readonly #onMoved: () => Promise<void>;

  /** One sentence about the last move's effect. */
  readonly summary = computed(() => {
    const queued = this.#queued.value;
    if (queued === null) return '';
    const count = plural(queued, 'scheduled run');
    if (this.error.value) return `Queued ${count}, as far as is known.`;
    return queued === 0 ? 'No runs were due.' : `Queued ${count}.`;
  });

  /** @param onMoved called when runs might have been queued and times might have changed */
  constructor(send: Send, environmentId: () => string | null, guard: Guard, onMoved: () => Promise<void>) {
    this.#send = send;
    this.#environmentId = environmentId;
    this.#guard = guard;
    this.#onMoved = onMoved;
  }

  async refresh(): Promise<void> {
    const id = this.#environmentId();
    if (id === null) return;
    const response = await this.#send('clock.get', { environmentId: id });
    // Only local platforms have this endpoint, so an error means there's no virtual clock.
    if (id === this.#environmentId() && response.ok)
      this.virtual.value = response.value.virtual ? Date.parse(response.value.now) : null;
  }

  /**
   * Moves the clock forward to a time in epoch milliseconds. Moves a day at a time, so that `stop` takes effect
   * quickly.
   */
  async moveTo(time: number): Promise<void> {
    const id = this.#environmentId();
    if (id !== null) await this.#guard.allow(id, clockQuestion(time), () => this.#moveTo(id, time));
  }

  async #moveTo(id: string, time: number): Promise<void> {
    if (id !== this.#environmentId() || this.virtual.peek() === null || this.moving.peek()) return;
    this.#target = time;
    batch(() => {
      this.moving.value = true;
      this.error.value = null;
      this.#queued.value = null;
    });
    while (await this.#moveByDay(id));
    this.moving.value = false;
    if (id === this.#environmentId()) await this.#onMoved();
  }

  stop = (): void => {
    this.#target = 0;
  };

  dismiss = (): void => {
    this.error.value = null;
  };

  reset(): void {
    batch(() => {
      this.virtual.value = null;
      this.#queued.value = null;
      this.error.value = null;
    });
  }

  /**
   * Moves the clock by up to a day. Resolves to false once the clock has reached the target or can't move any further.
   */
  async #moveByDay(id: string): Promise<boolean> {
    const now = this.virtual.peek();
    if (now === null || now >= this.#target || id !== this.#environmentId()) return false;
    const to = new Date(Math.min(now + DAY, this.#target)).toISOString();
    const response = await this.#send('clock.move', { environmentId: id, to });
    if (id !== this.#environmentId()) return false;
    if (!response.ok) {
      this.error.value = response.error;
      // The clock might have moved anyway, or someone else might have moved it further.
      await this.refresh();
      return false;
    }
    batch(() => {
      this.virtual.value = Date.parse(response.value.now);
      this.#queued.value = (this.#queued.peek() ?? 0) + response.value.queued;
    });
    return true;
  }
}
