/** Edits the context of a paused run as JSON text, which is applied as a whole. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { EDITED_LIMIT } from '../../../../debugging/stepper/edit-context.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { RunDebugger } from '../../../inspector/run/types.ts';
import { formatCount, truncate } from '../../../../shared/format.ts';
import { parsePointer, valueAt } from '../../../../shared/json-pointer.ts';
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import { findJsonError } from '../payload/json-error.ts';
import { findJsonLoss } from '../payload/json-loss.ts';
import type { PausedRun } from '../runs.ts';
import type { PausedStep } from '../trace.ts';

/** Characters of a text that is checked at each key. */
const CHECKED_AT_ONCE = 100_000;
/** How long after the last key a longer text is checked, in milliseconds. */
const CHECK_DELAY = 300;

export interface OpenEdit {
  /** The pause whose context it is. */
  at: PausedStep;
  /** The text as it was loaded or last applied. */
  applied: string;
  text: string;
  /** Why the text can't be applied, as far as it's known without the page. */
  problem: EditProblem | null;
  /** Whether some values are marks, because JSON can't show them. */
  hasMarks: boolean;
}

export interface EditProblem {
  problem: ErrorValue;
  /** Where it is in the text; null if it's unknown. */
  offset: number | null;
}

export const UNAPPLIED: ErrorValue = {
  code: 'CONTEXT_UNAPPLIED',
  message: 'Couldn’t resume the run: your changes of the context aren’t applied. Nothing was changed.',
  hint: 'Apply or discard them in Context first.',
};
const NOT_SHOWN: ErrorValue = {
  code: 'CONTEXT_VALUE_LOST',
  message: 'Couldn’t change the value: the page’s context doesn’t show it as text. Nothing was changed.',
  hint: 'Edit the whole context.',
};
const GONE: ErrorValue = {
  code: 'PAUSE_GONE',
  message: 'Couldn’t apply your changes: the run isn’t paused there anymore. Nothing was changed.',
  hint: 'Copy what you need, then discard them.',
};

export class ContextEdit {
  readonly #debugger: Pick<RunDebugger, 'contextText' | 'editContext'>;
  readonly #paused: ReadonlySignal<PausedRun | null>;
  readonly open = signal<OpenEdit | null>(null);
  readonly isBusy = signal(false);
  /** Why the context couldn't be loaded. */
  readonly error = signal<ErrorValue | null>(null);
  readonly isChanged = computed(() => this.open.value !== null && this.open.value.text !== this.open.value.applied);
  /** Whether the text belongs to the current pause. */
  readonly isCurrent = computed(() => this.open.value?.at === this.#paused.value?.at);
  /** Whether a value has a new text in its row that isn't applied. */
  readonly hasDraft = signal(false);
  /** Whether the current pause has changes that aren't applied. */
  readonly isUnapplied = computed(() => this.hasDraft.value || (this.isChanged.value && this.isCurrent.value));
  /** Counts changes that were applied. */
  readonly version = signal(0);
  readonly dispose: () => void;
  readonly #changes = new SerialQueue();
  #check: ReturnType<typeof setTimeout> | undefined;

  constructor(access: Pick<RunDebugger, 'contextText' | 'editContext'>, paused: ReadonlySignal<PausedRun | null>) {
    this.#debugger = access;
    this.#paused = paused;
    // What was typed stays until it's discarded.
    const stop = effect(() => {
      void this.#paused.value;
      this.error.value = null;
      if (!this.isCurrent.peek() && !this.isChanged.peek()) this.open.value = null;
    });
    this.dispose = () => {
      stop();
      clearTimeout(this.#check);
    };
  }

  async start(): Promise<void> {
    const at = this.#paused.peek()?.at;
    if (!at || this.isBusy.peek()) return;
    this.isBusy.value = true;
    const text = await this.#debugger.contextText(at.pause);
    batch(() => {
      this.isBusy.value = false;
      if (this.#paused.peek()?.at !== at) return;
      this.error.value = text.ok ? null : text.error;
      if (text.ok)
        this.open.value = {
          at,
          applied: text.value,
          text: text.value,
          problem: null,
          hasMarks: /"\$": "(lost|rest)"/.test(text.value),
        };
    });
  }

  readonly setText = (text: string): void => {
    const open = this.open.peek();
    if (!open) return;
    clearTimeout(this.#check);
    const isLong = text.length > CHECKED_AT_ONCE && text.length <= EDITED_LIMIT;
    this.open.value = { ...open, text, problem: isLong ? null : problemOf(text) };
    if (isLong) this.#check = setTimeout(() => this.#checkText(), CHECK_DELAY);
  };

  /** Finds the problem of a text that was too long to be checked at each key. */
  #checkText(): EditProblem | null {
    clearTimeout(this.#check);
    const open = this.open.peek();
    const problem = open && problemOf(open.text);
    if (open && problem) this.open.value = { ...open, problem };
    return problem;
  }

  readonly discard = (): void => {
    this.open.value = null;
  };

  /** Applies the text, and closes the editor. */
  apply(): Promise<void> {
    return this.#inTurn(() => this.#apply());
  }

  async #apply(): Promise<void> {
    const open = this.open.peek();
    if (!open || open.problem) return;
    if (!this.isCurrent.peek()) return this.#refuse(GONE);
    if (this.#checkText()) return;
    const edited = await this.#debugger.editContext(open.at.pause, open.text);
    batch(() => {
      if (!edited.ok) return this.#refuse(edited.error.code === 'PAUSE_GONE' ? GONE : edited.error);
      this.version.value++;
      if (this.open.peek()?.text === open.text) this.open.value = null;
      else this.open.value = { ...(this.open.peek() ?? open), applied: open.text };
    });
  }

  /**
   * Changes one value of the paused run's context to another one, given as JSON. Resolves to why it isn't changed; null if
   * it is.
   * @param pointer JSON Pointer into the context
   */
  async setValue(pointer: string, json: string): Promise<ErrorValue | null> {
    const at = this.#paused.peek()?.at;
    if (!at) return GONE;
    const problem = syntaxProblem(json) ?? lossOf(json);
    if (problem) return problem.problem;
    return this.#inTurn(() => this.#setValue(at.pause, pointer, JSON.parse(json)));
  }

  async #setValue(pause: number, pointer: string, value: unknown): Promise<ErrorValue | null> {
    const text = await this.#debugger.contextText(pause);
    if (!text.ok) return text.error;
    const context: unknown = JSON.parse(text.value);
    if (!replaceAt(context, pointer, value)) return NOT_SHOWN;
    const edited = await this.#debugger.editContext(pause, JSON.stringify(context));
    if (!edited.ok) return edited.error.code === 'PAUSE_GONE' ? GONE : edited.error;
    this.version.value++;
    return null;
  }

  /** Changes wait for earlier ones, because each one replaces the whole context. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    return this.#changes.run(async () => {
      this.isBusy.value = true;
      try {
        return await change();
      } finally {
        this.isBusy.value = false;
      }
    });
  }

  #refuse(problem: ErrorValue): void {
    const open = this.open.peek();
    if (open) this.open.value = { ...open, problem: { problem, offset: null } };
  }
}

function problemOf(text: string): EditProblem | null {
  if (text.length > EDITED_LIMIT)
    return {
      offset: null,
      problem: {
        code: 'CONTEXT_TOO_LARGE',
        message: `The context is limited to ${formatCount(EDITED_LIMIT)} characters. This one has ${formatCount(text.length)}.`,
        hint: 'Change the values from a function, or in the page’s console.',
      },
    };
  const invalid = syntaxProblem(text);
  if (invalid) return invalid;
  if (!text.trimStart().startsWith('{'))
    return {
      offset: 0,
      problem: {
        code: 'CONTEXT_NOT_OBJECT',
        message: 'The context must be a JSON object.',
        hint: 'Enter an object, such as {}.',
      },
    };
  return lossOf(text);
}

function syntaxProblem(text: string): EditProblem | null {
  const found = findJsonError(text);
  if (!found) return null;
  const { expected, line, column, offset } = found;
  const message = `The text isn’t valid JSON: expected ${expected} at line ${line}, column ${column}.`;
  return { offset, problem: { code: 'CONTEXT_NOT_JSON', message, hint: 'Correct the text, then apply it again.' } };
}

/** Replaces a value that is there. Returns false if there’s none. */
function replaceAt(context: unknown, pointer: string, value: unknown): boolean {
  const end = pointer.lastIndexOf('/');
  const holder = valueAt(context, pointer.slice(0, end));
  const [name] = parsePointer(pointer.slice(end));
  if (name === undefined || typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return false;
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true });
  return true;
}

/** JSON that would silently become something else. */
function lossOf(text: string): EditProblem | null {
  const loss = findJsonLoss(text);
  if (!loss) return null;
  const { line, column, offset } = loss.at;
  const where = `at line ${line}, column ${column}`;
  if (loss.kind === 'duplicate-name')
    return {
      offset,
      problem: {
        code: 'CONTEXT_DUPLICATE_NAME',
        message: `The name “${truncate(loss.name, 60)}” occurs twice in one object, again ${where}.`,
        hint: 'Remove one of the two.',
      },
    };
  return {
    offset,
    problem: {
      code: 'CONTEXT_NUMBER_CHANGED',
      message: `The number ${truncate(loss.number, 60)} ${where} would become ${loss.sent}.`,
      hint: 'Enter it as a string, in double quotes.',
    },
  };
}
