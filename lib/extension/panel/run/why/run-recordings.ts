/** Loads the recordings of runs, and keeps the last few that were used. */
import { type Recording, RECORDING_FORMAT } from '../../../../debugging/recording/format.ts';
import type { RunRecord, RunStore } from '../history/run-store.ts';

/** A recording has up to 32 MB. */
const KEPT = 3;

export class RunRecordings {
  readonly #store: Pick<RunStore, 'recording'>;
  readonly #loaded = new Map<string, Promise<Recording | null>>();

  constructor(store: Pick<RunStore, 'recording'>) {
    this.#store = store;
  }

  /** Null if the run has none, or if it can't be read. */
  of({ id, recording }: Pick<RunRecord, 'id' | 'recording'>): Promise<Recording | null> {
    if (!recording) return NONE;
    const loaded = this.#loaded.get(id) ?? this.#load(id);
    this.#loaded.delete(id);
    this.#loaded.set(id, loaded);
    this.#forgetOldest();
    return loaded;
  }

  /** Keeps a run's recording, so that it needn't be loaded. */
  keep(id: string, recording: Recording): void {
    this.#loaded.delete(id);
    this.#loaded.set(id, Promise.resolve(recording));
    this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const id of this.#loaded.keys()) if (this.#loaded.size > KEPT) this.#loaded.delete(id);
  }

  async #load(id: string): Promise<Recording | null> {
    try {
      const text = await this.#store.recording(id);
      const recording = JSON.parse(text ?? 'null') as Recording | null;
      return recording?.format === RECORDING_FORMAT && Array.isArray(recording.steps) ? recording : null;
    } catch {
      this.#loaded.delete(id);
      return null;
    }
  }
}

const NONE = Promise.resolve(null);
