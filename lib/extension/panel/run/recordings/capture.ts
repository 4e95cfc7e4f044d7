/** Fetches the recordings of runs from the page once the runs have ended, and stores them. */
import type { RecordedAction, Recording } from '../../../../debugging/recording/format.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import type { RunHistory } from '../history/run-history.ts';
import type { RunRecord } from '../history/run-store.ts';
import type { Trace } from '../trace.ts';
import { takeTimes } from './times-of-trace.ts';

/** Undefined if it can't be read. */
export type TraceOf = () => Promise<Trace | undefined>;

export interface CaptureOptions {
  /** The text of a run's recording; null if the page doesn't have it. */
  recording: (runId: string) => Promise<Result<string | null>>;
  history: Pick<RunHistory, 'storeRecording'>;
  /** What the panel knows of the page's action. */
  action: () => RecordedAction | undefined;
  onError: (error: ErrorValue) => void;
  /** Resolves once what has changed is on the screen. */
  painted?: () => Promise<void>;
}

export class RecordingCapture {
  readonly #options: CaptureOptions;
  /** Of runs in progress. Once a run has ended, its page can be gone. */
  readonly #actions = new Map<string, RecordedAction | undefined>();
  /** IDs of runs whose recording is being fetched. */
  readonly #fetching = new Set<string>();

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  /** Notes what the panel knows of a run that starts. */
  begin(runId: string): void {
    this.#actions.set(runId, this.#options.action());
  }

  /**
   * Stores the recording of a run that has ended. Resolves to the run's record; undefined if nothing has changed.
   * @param traceOf what the panel shows of the run, with the times that the recording gets
   */
  async end(runId: string, traceOf: TraceOf): Promise<RunRecord | undefined> {
    if (this.#fetching.has(runId)) return undefined;
    this.#fetching.add(runId);
    try {
      // The result comes first: fetching and writing a large recording takes a while.
      await (this.#options.painted ?? afterPaint)();
      return await this.#store(runId, traceOf);
    } catch (thrown) {
      this.#options.onError(toErrorValue(thrown));
      return undefined;
    } finally {
      this.#fetching.delete(runId);
      this.#actions.delete(runId);
    }
  }

  /** @throws if the page's text isn't JSON */
  async #store(runId: string, traceOf: TraceOf): Promise<RunRecord | undefined> {
    const { history, action } = this.#options;
    const text = await this.#options.recording(runId);
    // A page that was closed or reloaded has taken the recording with it.
    if (!text.ok) return text.error.code === 'TEXT_TOO_LARGE' ? history.storeRecording(runId, null) : undefined;
    if (text.value === null) return undefined;
    const known = this.#actions.has(runId) ? this.#actions.get(runId) : action();
    const recording = JSON.parse(text.value) as Recording;
    if (known) recording.action = known;
    const trace = await traceOf();
    if (trace) takeTimes(recording, trace);
    return history.storeRecording(runId, recording);
  }
}

/** Time to show the result of a run, in milliseconds. A panel that isn't visible paints nothing, so this can't wait for it. */
const PAINT_TIME = 50;
const afterPaint = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAINT_TIME));
