/** Looks for the smallest payload with which a failed run still fails, and opens the result as a run. */
import { signal } from '@preact/signals';
import type { Mock } from '../../../../../debugging/mocks/types.ts';
import type { SmallestFailure, SmallestProgress } from '../../../../../debugging/smallest/smallest-failing.ts';
import { formatCount, plural } from '../../../../../shared/format.ts';
import { lateModule } from '../../../shared/late-module.ts';
import type { Runs, ShownRun } from '../../runs.ts';
import { recordedJson } from './recorded-json.ts';
import type { Recordings } from '../recordings.ts';

export interface SmallestOptions {
  recordings: Recordings;
  runs: Pick<Runs, 'report' | 'isOfPage'>;
  /** The mocks that are on for the page’s action. */
  mocksOn: { peek(): readonly Mock[] };
  setPayload: (text: string) => void;
}

export interface SmallestReport {
  /** The run that shows the result. */
  runId: string;
  text: string;
  /** JSON text. */
  payload: string;
}

export class Smallest {
  /** Of the search in progress, and the run that it’s for. */
  readonly progress = signal<(SmallestProgress & { runId: string }) | null>(null);
  readonly report = signal<SmallestReport | null>(null);
  readonly #options: SmallestOptions;
  #controller = new AbortController();

  constructor(options: SmallestOptions) {
    this.#options = options;
  }

  async find(run: ShownRun): Promise<void> {
    const { recordings, runs, mocksOn } = this.#options;
    const { id: runId, subject, title } = run.record;
    if (this.progress.peek()) return;
    this.#controller = new AbortController();
    this.progress.value = { runId, tried: 0, size: 0, best: 0 };
    try {
      const recording = await recordings.of(run);
      if (!recording) return;
      const { smallestFailing } = await lateModule(import('../../../../../debugging/smallest/smallest-failing.ts'));
      const found = await smallestFailing(recording, {
        mocks: runs.isOfPage(run.record) ? mocksOn.peek() : [],
        signal: this.#controller.signal,
        onProgress: (progress) => (this.progress.value = { ...progress, runId }),
      });
      if (!found.ok) return runs.report(found.error);
      const id = `smallest-${crypto.randomUUID()}`;
      this.report.value = { runId: id, text: textOf(found.value), payload: recordedJson(found.value.payload).text };
      await recordings.open(found.value.recording, { id, origin: 'smallest', madeFrom: runId, subject, title });
    } finally {
      this.progress.value = null;
    }
  }

  /** Ends the search. What was found until then is the result. */
  readonly cancel = (): void => this.#controller.abort();

  readonly usePayload = (): void => {
    const report = this.report.peek();
    if (report) this.#options.setPayload(report.payload);
  };

  readonly dismiss = (): void => {
    this.report.value = null;
  };
}

const ENDS: Record<SmallestFailure['ended'], string> = {
  complete: 'Nothing more can be removed.',
  canceled: 'You canceled the search.',
  limit: 'The search reached its limit.',
};

const textOf = ({ size, best, tried, ended }: SmallestFailure): string =>
  `Still fails with ${formatCount(best)} of ${plural(size, 'character')} of payload and recorded data, ` +
  `after ${plural(tried, 'replay')}. ${ENDS[ended]}`;
