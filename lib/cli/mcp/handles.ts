/** Keeps recordings and long results under random handles. The one that was unused longest expires first. */
import { randomBytes } from 'node:crypto';
import type { Recording } from '../../debugging/recording/format.ts';
import { CodedError } from '../../platform-api/coded-error.ts';

export interface Kept {
  /** Of the text, about. */
  characters: number;
  /** What `read` shows: JSON with line breaks. */
  text: () => string;
  recording?: Recording;
}

export interface HandleLimits {
  count: number;
  /** Of all texts. The newest one stays, whatever its size. */
  characters: number;
}

const LIMITS: HandleLimits = { count: 40, characters: 64 * 1024 * 1024 };

export class Handles {
  readonly #kept = new Map<string, Kept>();
  readonly #limits: HandleLimits;
  #characters = 0;

  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  add(kept: Kept): string {
    const handle = `h_${randomBytes(9).toString('base64url')}`;
    this.#kept.set(handle, kept);
    this.#characters += kept.characters;
    for (const [oldest, { characters }] of this.#kept) {
      if (this.#kept.size <= this.#limits.count && this.#characters <= this.#limits.characters) break;
      if (oldest === handle) break;
      this.#kept.delete(oldest);
      this.#characters -= characters;
    }
    return handle;
  }

  /** @throws CodedError `HANDLE_UNKNOWN` */
  get(handle: string): Kept {
    const kept = this.#kept.get(handle);
    if (kept) {
      this.#kept.delete(handle);
      this.#kept.set(handle, kept);
      return kept;
    }
    throw new CodedError({
      code: 'HANDLE_UNKNOWN',
      message: 'Couldn’t find this handle: it’s wrong, or it has expired.',
      hint: 'Call the tool that gave the handle again.',
    });
  }

  /** @throws CodedError `HANDLE_UNKNOWN`, `HANDLE_OTHER` */
  recording(handle: string): Recording {
    const { recording } = this.get(handle);
    if (recording) return recording;
    throw new CodedError({
      code: 'HANDLE_OTHER',
      message: 'Couldn’t use this handle: it isn’t a recording.',
      hint: 'Use the handle that open_recording, run_action, or replay_recording gave you.',
    });
  }
}
