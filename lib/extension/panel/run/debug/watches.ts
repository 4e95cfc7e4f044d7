/** Expressions that are evaluated at each pause, and after each change of the context. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { compileCondition } from '../../../../pipeline/index.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { Evaluated } from '../../../inspector/contract.ts';
import type { RunDebugger } from '../../../inspector/run/types.ts';
import type { PausedRun } from '../runs.ts';
import { type DebugData, EXPRESSION_LIMIT, WATCH_LIMIT } from './debug-data.ts';
import type { DebugSettings } from './debug-settings.ts';

export interface Watch {
  source: string;
  /** As of the last pause. Null if there was none since the expression was added. */
  value: Evaluated | null;
}

export interface WatchesOptions {
  settings: Pick<DebugSettings, 'data' | 'change'>;
  debugger: Pick<RunDebugger, 'evaluate'>;
  paused: ReadonlySignal<PausedRun | null>;
  /** Counts changes of the context during a pause. */
  edits: ReadonlySignal<number>;
}

const NONE: ReadonlyMap<string, Evaluated> = new Map();

export class Watches {
  readonly #options: WatchesOptions;
  readonly #sources;
  readonly #values = signal(NONE);
  readonly list;
  /** The expression that is being entered. */
  readonly draft = signal('');
  /** Why it's invalid; null if it's valid or blank. */
  readonly problem = computed(() => this.#problemOf(this.draft.value.trim()));
  /** Why the expressions couldn't be evaluated. */
  readonly error = signal<ErrorValue | null>(null);
  #evaluation = 0;
  readonly dispose: () => void;

  constructor(options: WatchesOptions) {
    this.#options = options;
    this.#sources = computed(() => options.settings.data.value.watches);
    this.list = computed(() =>
      this.#sources.value.map((source): Watch => ({ source, value: this.#values.value.get(source) ?? null })),
    );
    this.dispose = effect(() => {
      const at = options.paused.value?.at;
      void options.edits.value;
      const sources = this.#sources.value;
      void this.#evaluate(at?.pause, sources);
    });
  }

  /** Adds the expression that was entered, unless it's invalid. */
  add(): void {
    const source = this.draft.peek().trim();
    if (source === '' || this.problem.peek() !== null) return;
    this.draft.value = '';
    this.#change((watches) => [...watches, source]);
  }

  remove(source: string): void {
    this.#change((watches) => watches.filter((one) => one !== source));
  }

  #change(change: (watches: DebugData['watches']) => DebugData['watches']): void {
    this.#options.settings.change((data) => ({ ...data, watches: change(data.watches) }));
  }

  #problemOf(source: string): string | null {
    if (source === '') return null;
    if (source.length > EXPRESSION_LIMIT) return `An expression is limited to ${EXPRESSION_LIMIT} characters.`;
    if (this.#sources.value.includes(source)) return 'This expression is already in the list.';
    if (this.#sources.value.length >= WATCH_LIMIT) return `The list is limited to ${WATCH_LIMIT} expressions.`;
    return syntaxProblem(source);
  }

  async #evaluate(pause: number | undefined, sources: readonly string[]): Promise<void> {
    const evaluation = ++this.#evaluation;
    // The last values stay until there are new ones, so that rows don't move with each step.
    if (pause === undefined || sources.length === 0) return void (this.error.value = null);
    const found = await this.#options.debugger.evaluate(pause, sources);
    if (evaluation !== this.#evaluation) return;
    this.error.value = found.ok || found.error.code === 'PAUSE_GONE' ? null : found.error;
    if (found.ok) this.#values.value = new Map(found.value.map((value, index) => [sources[index]!, value]));
  }
}

function syntaxProblem(source: string): string | null {
  try {
    compileCondition(source);
    return null;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}
