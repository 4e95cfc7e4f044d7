/** What the page's action is debugged with: loaded when the action is opened, and stored whenever it changes. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { RunStore } from '../history/run-store.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import { type DebugData, NO_DEBUG_DATA, parseDebugData, settingsOf, writeDebugData } from './debug-data.ts';
import { matchBreakpoints, pipelineText } from './match-breakpoints.ts';

const NAME = 'debugger';

export interface DebugSettingsOptions {
  store: Pick<RunStore, 'debugging' | 'putDebugging'>;
  /** The action in the page; null if unknown. */
  subject: ReadonlySignal<string | null>;
  /** The page's pipeline; null while it's unknown. */
  nodes: ReadonlySignal<readonly PipelineNode[] | null>;
  /** The data has changed since it was loaded. */
  onChange: () => void;
}

export class DebugSettings {
  readonly #options: DebugSettingsOptions;
  readonly #data = signal<DebugData>(NO_DEBUG_DATA);
  readonly data: ReadonlySignal<DebugData> = this.#data;
  readonly settings = computed(() => settingsOf(this.#data.value));
  readonly error = signal<ErrorValue | null>(null);
  /** The action whose data is loaded. */
  readonly #loaded = signal<string | null>(null);
  #loading: Promise<void> = Promise.resolve();
  /** False if stored data must not be replaced. */
  #canStore = true;
  readonly dispose: () => void;

  constructor(options: DebugSettingsOptions) {
    this.#options = options;
    const stopLoading = effect(() => {
      const subject = options.subject.value;
      this.#loading = this.#load(subject);
    });
    const stopMatching = effect(() => this.#match());
    this.dispose = () => {
      stopLoading();
      stopMatching();
    };
  }

  /** Resolves once the stored data of the action in the page is loaded. */
  async ready(): Promise<void> {
    await this.#loading;
  }

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  /** Changes the data, once it's loaded. */
  change(change: (data: DebugData) => DebugData): void {
    const { subject, nodes } = this.#options;
    if (this.#loaded.peek() !== subject.peek()) return void this.#loading.then(() => this.change(change));
    const next = change(this.#data.peek());
    const pipeline = next.breakpoints.length > 0 ? pipelineText(nodes.peek() ?? []) : '';
    this.#set({ ...next, pipeline });
  }

  async #load(subject: string | null): Promise<void> {
    batch(() => {
      this.#loaded.value = null;
      this.#data.value = NO_DEBUG_DATA;
      this.error.value = null;
    });
    this.#canStore = true;
    if (subject === null) return;
    const data = await this.#read(subject);
    if (this.#options.subject.peek() !== subject) return;
    batch(() => {
      this.#data.value = data;
      this.#loaded.value = subject;
    });
  }

  async #read(subject: string): Promise<DebugData> {
    try {
      const text = await this.#options.store.debugging(subject, NAME);
      return text === undefined ? NO_DEBUG_DATA : parseDebugData(text);
    } catch (thrown) {
      if (this.#options.subject.peek() !== subject) return NO_DEBUG_DATA;
      const error = toErrorValue(thrown);
      this.#canStore = error.code === 'BREAKPOINTS_DAMAGED';
      this.error.value = error;
      return NO_DEBUG_DATA;
    }
  }

  #match(): void {
    const nodes = this.#options.nodes.value;
    if (nodes === null || this.#loaded.value === null) return;
    const data = this.#data.value;
    const matched = matchBreakpoints(data, nodes);
    if (matched !== data) this.#set(matched);
  }

  #set(data: DebugData): void {
    this.#data.value = data;
    this.#options.onChange();
    const subject = this.#loaded.peek();
    if (subject === null || !this.#canStore) return;
    // Waits for nothing, since the panel may be closed. The store keeps the order of changes and reads.
    this.#options.store.putDebugging(subject, NAME, writeDebugData(data)).catch((thrown: unknown) => {
      this.error.value = { ...toErrorValue(thrown), code: 'BREAKPOINTS_NOT_STORED' };
    });
  }
}
