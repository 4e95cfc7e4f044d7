/** Opens recordings as runs, and exports and replays the recording of a run. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { Recording } from '../../../../debugging/recording/format.ts';
import { parseRecording, writeRecording } from '../../../../debugging/recording/file/parse.ts';
import { fileNameOf, RECORDING_EXTENSION } from '../../../../debugging/recording/file/file-name.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import type { AgentEvent, RemoteValue } from '../../../inspector/contract.ts';
import type { Send } from '../../../messaging/protocol.ts';
import { lateModule } from '../../shared/late-module.ts';
import type { RunRecord, RunStore } from '../history/run-store.ts';
import type { Runs, ShownRun } from '../runs.ts';
import type { Selection } from '../selection.ts';
import type { RunRecordings } from '../why/run-recordings.ts';
import { describeReplay, type Place, type ReplayReport } from './describe-replay.ts';
import type { LocalRunFacts } from './local-run.ts';
import { isLocal, type LocalValues } from './local-values.ts';
import { maskInParts, type RunMask } from '../secrets/run-mask.ts';
import { recordingOfEvents } from './recording-of-events.ts';
import { Smallest } from './what-if/smallest.ts';
import { TimeTravel } from './time-travel.ts';
import { WhatIf } from './what-if/what-if.ts';

export interface RecordingsOptions {
  runs: Runs;
  selection: Pick<Selection, 'revealStep' | 'selectPath' | 'path' | 'compare'>;
  store: Pick<RunStore, 'recording' | 'get' | 'events'>;
  recordingsOf: RunRecordings;
  send: Send;
  runMask: Pick<RunMask, 'recording'>;
  saveFile: (name: string, text: string) => void;
  /** The mocks that are on for the page’s action. */
  mocksOn: ReadonlySignal<readonly Mock[]>;
  setPayload: (text: string) => void;
  /** Shows the *Run* tab with the displayed run. */
  showRunTab: () => void;
}

interface Opened {
  origin: 'file' | 'server';
  text: string;
  signal?: AbortSignal;
}

/** A log record whose run the platform has recorded. */
export interface RecordedLog {
  environmentId: string;
  /** The environment’s. The platform doesn’t know its own. */
  baseUrl: string;
  appId: number;
  logId: number;
}

export class Recordings {
  /** What takes a while, such as `Replaying…`; null if nothing does. */
  readonly busy = signal<string | null>(null);
  /** What the last replay of a run showed. */
  readonly report = signal<(ReplayReport & { runId: string }) | null>(null);
  /** The last test that was saved: the base name of its files. */
  readonly savedTest = signal<{ runId: string; name: string } | null>(null);
  /** Why the recording of a log record couldn’t be opened. */
  readonly logError = signal<{ logId: number; error: ErrorValue } | null>(null);
  readonly travel = new TimeTravel((run) => this.of(run));
  readonly whatIf: WhatIf;
  readonly smallest: Smallest;
  /** Whether a command of the recording menu has something to say, of any run. */
  readonly hasNotice = computed((): boolean => {
    const { whatIf, smallest } = this;
    const reports = [this.report, this.savedTest, whatIf.report, smallest.report, smallest.progress];
    return this.busy.value !== null || reports.some(({ value }) => value !== null);
  });
  readonly #options: RecordingsOptions;

  constructor(options: RecordingsOptions) {
    this.#options = options;
    this.whatIf = new WhatIf({ ...options, recordings: this });
    this.smallest = new Smallest({ ...options, recordings: this });
  }

  /** Opens the text of a `.run.json` file. A file that was opened before isn’t stored twice. Rejects if it’s canceled. */
  async openText(text: string, signal?: AbortSignal): Promise<void> {
    const parsed = parseRecording(text);
    if (!parsed.ok) this.#options.runs.report(parsed.error);
    else await this.#openOnce(parsed.value, { origin: 'file', text, signal });
  }

  /** Opens the recording of a log record’s run. */
  async openLog({ baseUrl, ...log }: RecordedLog): Promise<boolean> {
    if (this.busy.peek() !== null) return false;
    this.busy.value = 'Loading the recording…';
    this.logError.value = null;
    try {
      const response = await this.#options.send('logs.recording', log);
      const parsed = response.ok ? parseRecording(response.value.text) : response;
      if (parsed.ok && response.ok) {
        const recording: Recording = { ...parsed.value, action: { baseUrl, ...parsed.value.action } };
        await this.#openOnce(recording, { origin: 'server', text: response.value.text });
      }
      if (!parsed.ok) this.logError.value = { logId: log.logId, error: parsed.error };
      return parsed.ok;
    } finally {
      this.busy.value = null;
    }
  }

  async #openOnce(recording: Recording, { origin, text, signal }: Opened): Promise<void> {
    const id = `${origin}-${await hashOf(text)}`;
    const stored = await this.#options.store.get(id).catch(() => undefined);
    if (stored?.recording) {
      const { runOfRecording } = await loadRuns();
      const run = await runOfRecording(recording, factsOf(stored), undefined, signal);
      this.#show({ ...run, record: stored });
    } else await this.open(await maskInParts(recording, (given) => given, signal), { id, origin }, signal);
  }

  /** Opens a recording as a run, and stores it. Rejects if it’s canceled before the run is shown. */
  async open(recording: Recording, facts: LocalRunFacts, signal?: AbortSignal): Promise<ShownRun> {
    const { runs, recordingsOf } = this.#options;
    const events: AgentEvent[] = [];
    const { runOfRecording } = await loadRuns();
    const onEvents = (some: readonly AgentEvent[]): void => {
      for (const event of some) events.push(event);
    };
    const run = await runOfRecording(recording, facts, onEvents, signal);
    // The run has its recording, even if it can’t be stored.
    run.record.recording = { size: 0, lost: recording.lost };
    recordingsOf.keep(run.record.id, recording);
    this.#show(run);
    await runs.add(run, events, recording);
    return run;
  }

  #show(run: ShownRun): void {
    batch(() => {
      this.whatIf.close();
      this.#options.showRunTab();
      this.#options.runs.dismiss();
      this.#options.runs.show(run);
    });
  }

  /**
   * A stored run from its recording, with its own pipeline and whole values. Null for a run of the page’s action, whose
   * pipeline and values the page has, and for a run without a recording.
   */
  async recorded(record: RunRecord): Promise<ShownRun | null> {
    const { runs, recordingsOf } = this.#options;
    if (record.origin === undefined && runs.isOfPage(record)) return null;
    const recording = await recordingsOf.of(record);
    if (!recording) return null;
    const { runOfRecording } = await loadRuns();
    return { ...(await runOfRecording(recording, factsOf(record))), record };
  }

  /** Null if the run has none. For a run that was stored without one, what its events have of it. */
  async of({ record, local }: ShownRun): Promise<Recording | null> {
    const known = local?.recording ?? (await this.#options.recordingsOf.of(record));
    if (known || record.recording || record.state === 'running') return known;
    const events = await this.#options.store.events(record.id).catch(() => []);
    return recordingOfEvents(record, events);
  }

  /** Saves a run’s recording as a file. */
  async export(run: ShownRun): Promise<void> {
    const { store, saveFile, runs, runMask } = this.#options;
    const stored = await store.recording(run.record.id).catch(() => undefined);
    const recording = await this.of(run);
    if (!recording) return runs.report(NO_RECORDING);
    saveFile(fileNameOf(recording), stored ?? writeRecording(await runMask.recording(recording)));
  }

  /** Saves a Vitest file that replays the run, and its recording, which the test needs. */
  async copyAsTest(run: ShownRun): Promise<void> {
    const { saveFile, runs, runMask } = this.#options;
    const recording = await this.of(run);
    if (!recording) return runs.report(NO_RECORDING);
    const { testOf } = await lateModule(import('../../../../debugging/tests/test-of-recording.ts'));
    const { name, test, recording: text } = await testOf(await runMask.recording(recording));
    saveFile(`${name}.test.ts`, test);
    saveFile(`${name}${RECORDING_EXTENSION}`, text);
    this.savedTest.value = { runId: run.record.id, name };
  }

  readonly dismissTest = (): void => {
    this.savedTest.value = null;
  };

  /** Replays a run offline, and reports whether it did the same. */
  async replay(run: ShownRun): Promise<void> {
    if (this.busy.peek() !== null) return;
    this.busy.value = 'Replaying…';
    this.report.value = null;
    try {
      const { replay } = await lateModule(import('../../../../debugging/replay/replay.ts'));
      const recording = await this.of(run);
      if (recording)
        this.report.value = { ...describeReplay(recording, await replay(recording)), runId: run.record.id };
      else this.#options.runs.report(NO_RECORDING);
    } finally {
      this.busy.value = null;
    }
  }

  readonly dismissLogError = (): void => {
    this.logError.value = null;
  };

  readonly dismissReport = (): void => {
    this.report.value = null;
  };

  /** Selects a step of the displayed run; its node in the pipeline if the run didn’t reach it. */
  showPlace({ path, iteration }: Place): void {
    const { runs, selection } = this.#options;
    const at = String(iteration);
    const step = runs.shown.peek()?.trace.order.find((one) => one.path === path && String(one.iteration) === at);
    if (step) selection.revealStep(step.id);
    else selection.selectPath(path);
  }

  /** Entries of a value of the displayed run; null if a page has it. */
  expand(handle: number, from: number, count: number): Result<RemoteValue> | null {
    if (!isLocal(handle)) return null;
    const value = this.#values?.expand(handle, from, count) ?? this.travel.values.expand(handle, from, count);
    return value ? { ok: true, value } : VALUE_GONE;
  }

  /** A whole string of the displayed run; null if a page has it. */
  text(handle: number): Result<string> | null {
    if (!isLocal(handle)) return null;
    const value = this.#values?.text(handle) ?? this.travel.values.text(handle);
    return value === null ? VALUE_GONE : { ok: true, value };
  }

  get #values(): LocalValues | undefined {
    return this.#options.runs.shown.peek()?.local?.values;
  }
}

const factsOf = ({ id, origin, madeFrom, subject, title }: RunRecord): LocalRunFacts => ({
  id,
  origin,
  madeFrom,
  subject,
  title,
});

/** Identifies a text. */
async function hashOf(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const NO_RECORDING: ErrorValue = {
  code: 'RECORDING_GONE',
  message: 'Couldn’t read the run’s recording: it’s damaged, or it was removed to save space.',
  hint: 'Run the action again.',
};

const VALUE_GONE: Result<never> = {
  ok: false,
  error: {
    code: 'HANDLE_GONE',
    message: 'The panel no longer has this value.',
    hint: 'Open the run again.',
  },
};

/** Writes traces as the page’s agent does, which the panel doesn’t need at start. */
const loadRuns = () => lateModule(import('./run-of-recording.ts'));
