/** Looks for the smallest payload with which a failed run still fails, and opens the result as a run. */
import { signal } from '@preact/signals';
import type { Mock } from '../../../../../debugging/mocks/types.ts';
import type { Recording } from '../../../../../debugging/recording/format.ts';
import type {
  SmallestFailure,
  SmallestProgress,
  Unjudged,
  UnjudgedEnd,
} from '../../../../../debugging/smallest/smallest-failing.ts';
import { formatCount, plural } from '../../../../../shared/format.ts';
import { lateModule } from '../../../shared/late-module.ts';
import type { Runs, ShownRun } from '../../runs.ts';
import { placeName } from '../describe-replay.ts';
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
      const mocks = runs.isOfPage(run.record) ? mocksOn.peek() : [];
      const found = await smallestFailing(recording, {
        mocks,
        signal: this.#controller.signal,
        onProgress: (progress) => (this.progress.value = { ...progress, runId }),
      });
      if (!found.ok) return runs.report(found.error);
      const id = `smallest-${crypto.randomUUID()}`;
      this.report.value = {
        runId: id,
        text: textOf(found.value, recording, mocks.length),
        payload: recordedJson(found.value.payload).text,
      };
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

/**
 * @param recording of the run that was made smaller
 * @param mocks how many were on
 */
function textOf(found: SmallestFailure, recording: Recording, mocks: number): string {
  const { size, best, tried, ended, unjudged, assumes } = found;
  const fails = `Still fails with ${formatCount(best)} of ${plural(size, 'character')} of payload and recorded data.`;
  const basis = `This rests on ${plural(tried, 'replay')} with the recorded outcomes${mocks > 0 ? ` and ${plural(mocks, 'mock')}` : ''}.`;
  const left = unjudged
    ? unjudgedText(unjudged, recording)
    : ended === 'complete'
      ? 'No single item, property, or character can be removed.'
      : null;
  return [fails, basis, ...assumes, STOPPED[ended], left].filter(Boolean).join(' ');
}

const STOPPED: Record<SmallestFailure['ended'], string | null> = {
  complete: null,
  canceled: 'You canceled the search.',
  limit: 'The search reached its limit.',
};

function unjudgedText({ count, first }: Unjudged, recording: Recording): string {
  const name = placeName(recording, first);
  return `${plural(count, 'removal')} couldn’t be judged, such as one in which ${whyUnjudged(first, name)}.`;
}

function whyUnjudged(end: UnjudgedEnd, name: string): string {
  switch (end.state) {
    case 'other-input':
      return `${name} would get other input. Mock it to judge more`;
    case 'no-outcome':
      return `${name} has no recorded outcome. Mock it to judge more`;
    case 'misfit':
      return `a recorded change of ${name} doesn’t fit the context`;
    case 'unknown':
      return `${name} depends on a value that the recording doesn’t have`;
  }
}
