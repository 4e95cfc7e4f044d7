/** Starts a run with a recorded payload. Properties that the recording has lost throw when they’re read, not at the start. */
import type { Context } from '../../pipeline/index.ts';
import { loseProperty, type LossReason, LostValueError, readValue, type RecordedValue } from '../recording/values.ts';

export class RecordedPayload {
  /** What the run starts with: the properties that the recording has. Not an object if the recorded payload wasn’t one. */
  readonly payload: Context;
  readonly #lost: { key: string; reason: LossReason }[] = [];

  /** @throws LostValueError if the recording doesn’t have the payload at all */
  constructor(recorded: RecordedValue) {
    const payload = readValue(recorded) as Context;
    const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
    this.payload = isObject ? {} : payload;
    if (!isObject) return;
    for (const key of Object.keys(payload)) {
      const reason = lossOf(payload, key);
      const property = Object.getOwnPropertyDescriptor(payload, key)!;
      if (reason === null) Object.defineProperty(this.payload, key, property);
      else this.#lost.push({ key, reason });
    }
  }

  /** Adds the lost properties. Call it before the first step. */
  addLost(context: Context): void {
    for (const { key, reason } of this.#lost) loseProperty({ holder: context, key }, reason);
  }
}

function lossOf(payload: Context, key: string): LossReason | null {
  try {
    void payload[key];
    return null;
  } catch (thrown) {
    if (thrown instanceof LostValueError) return thrown.reason;
    throw thrown;
  }
}
