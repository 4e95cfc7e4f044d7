/** Edits the pipeline and the payload of a recorded run, and replays it with the changes on its recorded outcomes. */
import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Mock } from '../../../../../debugging/mocks/types.ts';
import type { Recording } from '../../../../../debugging/recording/format.ts';
import type { RecordedValue } from '../../../../../debugging/recording/values.ts';
import type { WhatIf as Change } from '../../../../../debugging/replay/what-if.ts';
import { type Context, validatePipeline } from '../../../../../pipeline/index.ts';
import { isRecord } from '../../../../../shared/objects.ts';
import { type Read, readDraft } from '../../../actions/edit/draft-text.ts';
import { lateModule } from '../../../shared/late-module.ts';
import { pipelineNodes } from '../../pipeline-tree.ts';
import type { ShownRun } from '../../runs.ts';
import type { Selection } from '../../selection.ts';
import { describeWhatIf, type WhatIfReport } from './describe-what-if.ts';
import type { Place } from '../describe-replay.ts';
import { recordedJson } from './recorded-json.ts';
import type { Recordings } from '../recordings.ts';
import { stepFields, withValueAt } from './step-fields.ts';

export interface WhatIfOptions {
  recordings: Recordings;
  selection: Pick<Selection, 'path' | 'compare'>;
  /** The mocks that are on. */
  mocksOn: ReadonlySignal<readonly Mock[]>;
}

/** What is edited: the run, and its texts as recorded. */
interface Edited {
  run: ShownRun;
  recording: Recording;
  pipeline: string;
  payload: string;
  /** Whether the recording lacks some of these values. */
  isPartial: boolean;
}

/** An outcome for a call that the recorded run doesn’t have. */
export interface AddedMock {
  path: string;
  package: string;
  /** JSON text; empty for undefined. */
  text: string;
}

/** The run that shows a report. */
interface Made {
  runId: string;
  madeFrom: string;
  /** JSON text, with which the page can make the same run. Null if it can’t: it has its own pipeline. */
  payload: string | null;
}

const MAX_PROBLEMS = 5;

export class WhatIf {
  readonly isOpen = signal(false);
  readonly edited = signal<Edited | null>(null);
  readonly pipelineText = signal('');
  readonly payloadText = signal('');
  readonly usesMocks = signal(false);
  readonly added = signal<readonly AddedMock[]>([]);
  /** Path of the step whose fields are shown. */
  readonly path = signal<string | null>(null);
  /** Set while a replay is in progress. */
  readonly replaying = signal<AbortController | null>(null);
  /** How the last replay ended, and the run that shows it. */
  readonly report = signal<(WhatIfReport & Made) | null>(null);
  readonly #pipeline = computed(() => readDraft(this.pipelineText.value));
  /** Settings that don’t parse yet. */
  readonly #fieldDraft = signal<{ path: string; text: string } | null>(null);
  readonly nodes = computed(() => (this.#pipeline.value.ok ? pipelineNodes(this.#pipeline.value.value) : []));
  readonly steps = computed(() => this.nodes.value.filter(({ kind }) => kind !== 'branch'));
  readonly step = computed(() => this.steps.value.find(({ path }) => path === this.path.value) ?? this.steps.value[0]);
  readonly pipelineProblems = computed(() => pipelineProblems(this.#pipeline.value));
  readonly payloadProblem = computed(() => payloadProblem(this.payloadText.value));
  readonly addedProblems = computed(() => this.added.value.map(({ text }) => (text.trim() ? problemOf(text) : null)));
  readonly fields = computed(() => {
    const draft = this.#fieldDraft.value;
    const fields = this.step.value ? stepFields(this.step.value) : [];
    return fields.map((field) =>
      field.path === draft?.path
        ? { ...field, text: draft.text, problem: problemOf(draft.text) }
        : { ...field, problem: null },
    );
  });
  readonly isChanged = computed(() => {
    const { pipeline, payload } = this.edited.value ?? {};
    return this.pipelineText.value !== pipeline || this.payloadText.value !== payload || this.added.value.length > 0;
  });
  /** Why it can’t be replayed now; null if it can. */
  readonly unavailable = computed((): string | null => {
    if (this.replaying.value) return 'Wait for the replay to end';
    if (this.pipelineProblems.value.length > 0) return 'Correct the pipeline';
    if (this.fields.value.some(({ problem }) => problem)) return 'Correct the settings';
    if (this.payloadProblem.value) return 'Correct the payload';
    return this.addedProblems.value.some(Boolean) ? 'Correct the mocks' : null;
  });
  readonly #options: WhatIfOptions;

  constructor(options: WhatIfOptions) {
    this.#options = options;
  }

  /** The mocks that are on in the panel. */
  get mocks(): readonly Mock[] {
    return this.#options.mocksOn.value;
  }

  /** Opens the editor. Edits of the same run are kept. */
  async open(run: ShownRun): Promise<void> {
    const recording = await this.#options.recordings.of(run);
    if (!recording) return;
    const { path } = this.#options.selection;
    batch(() => {
      if (this.edited.peek()?.run.record.id !== run.record.id) this.#begin(run, recording);
      this.path.value = path.peek() ?? this.path.peek();
      this.isOpen.value = true;
    });
  }

  #begin(run: ShownRun, recording: Recording): void {
    const pipeline = recordedJson(recording.pipeline);
    const payload = recordedJson(recording.payload);
    const isPartial = pipeline.isPartial || payload.isPartial;
    this.edited.value = { run, recording, pipeline: pipeline.text, payload: payload.text, isPartial };
    this.reset();
  }

  readonly reset = (): void => {
    const edited = this.edited.peek();
    batch(() => {
      this.pipelineText.value = edited?.pipeline ?? '';
      this.payloadText.value = edited?.payload ?? '';
      this.added.value = [];
      this.usesMocks.value = false;
      this.#fieldDraft.value = null;
    });
  };

  /** Opens the editor again, with the edits. */
  readonly reopen = (): void => {
    this.isOpen.value = true;
  };

  readonly close = (): void => {
    this.isOpen.value = false;
  };

  readonly setPipeline = (text: string): void => {
    batch(() => {
      this.pipelineText.value = text;
      this.#fieldDraft.value = null;
    });
  };

  readonly chooseStep = (path: string): void => {
    batch(() => {
      this.path.value = path;
      this.#fieldDraft.value = null;
    });
  };

  /** Changes a field of the selected step, and the pipeline with it. */
  setField(path: string, kind: 'text' | 'json', text: string): void {
    const pipeline = this.#pipeline.peek();
    if (!pipeline.ok) return;
    const value = kind === 'json' ? readDraft(text) : { ok: true as const, value: text };
    batch(() => {
      this.#fieldDraft.value = kind === 'json' ? { path, text } : null;
      if (value.ok) this.pipelineText.value = JSON.stringify(withValueAt(pipeline.value, path, value.value), null, 2);
    });
  }

  /** Adds an outcome for a call that the recorded run doesn’t have, which is then edited. */
  addMock({ path }: Place, name: string): void {
    batch(() => {
      if (!this.added.peek().some((one) => one.path === path))
        this.added.value = [...this.added.peek(), { path, package: name, text: '' }];
      this.isOpen.value = true;
    });
  }

  setMock(path: string, text: string): void {
    this.added.value = this.added.peek().map((one) => (one.path === path ? { ...one, text } : one));
  }

  removeMock(path: string): void {
    this.added.value = this.added.peek().filter((one) => one.path !== path);
  }

  /** Replays with the changes, and opens the result as a run. */
  async replay(): Promise<void> {
    const edited = this.edited.peek();
    if (!edited || this.unavailable.peek() !== null) return;
    const { run, recording } = edited;
    const controller = new AbortController();
    this.replaying.value = controller;
    try {
      const { replayWith } = await lateModule(import('../../../../../debugging/replay/what-if.ts'));
      const change = this.#change(edited);
      const replayed = await replayWith(recording, change, { signal: controller.signal });
      if (controller.signal.aborted) return;
      const { id: madeFrom, subject, title } = run.record;
      const isSame = !this.isChanged.peek() && !this.usesMocks.peek();
      const id = `what-if-${crypto.randomUUID()}`;
      const payload = recordedJson(replayed.recording.payload);
      const canRun = change.pipeline === undefined && !edited.isPartial && !payload.isPartial;
      this.report.value = {
        ...describeWhatIf(replayed, recording),
        runId: id,
        madeFrom,
        payload: canRun ? payload.text : null,
      };
      this.close();
      const origin = isSame ? 'replay' : 'what-if';
      await this.#options.recordings.open(replayed.recording, { id, origin, madeFrom, subject, title });
    } finally {
      this.replaying.value = null;
    }
  }

  readonly cancel = (): void => this.replaying.peek()?.abort();

  readonly dismissReport = (): void => {
    this.report.value = null;
  };

  /** Compares the displayed run with the one that it was made from. */
  compare(madeFrom: string): void {
    this.#options.selection.compare(madeFrom);
  }

  #change({ pipeline, payload }: Edited): Change {
    const read = this.#pipeline.peek();
    const change: Change = { mocks: [...this.added.peek().map(mockOf), ...(this.usesMocks.peek() ? this.mocks : [])] };
    // What isn’t changed keeps values that JSON doesn’t have.
    if (this.pipelineText.peek() !== pipeline && read.ok) change.pipeline = read.value;
    if (this.payloadText.peek() !== payload) change.payload = JSON.parse(this.payloadText.peek()) as Context;
    return change;
  }
}

const mockOf = ({ path, text }: AddedMock): Mock => ({
  target: { path },
  outcome: text.trim() === '' ? {} : { value: JSON.parse(text) as RecordedValue },
});

function problemOf(text: string): string | null {
  const read = readDraft(text);
  return read.ok ? null : read.error.message;
}

function pipelineProblems(read: Read): string[] {
  if (!read.ok) return [read.error.message];
  return validatePipeline(read.value)
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message }) => (path ? `${path}: ${message}` : message));
}

function payloadProblem(text: string): string | null {
  const read = readDraft(text);
  if (!read.ok) return read.error.message;
  return isRecord(read.value) ? null : 'The payload must be an object.';
}
