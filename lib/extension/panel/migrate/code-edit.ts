/** The V3 code of an action while a person edits it, and the differences that they accept. Both are stored. */
import { batch, computed, signal } from '@preact/signals';
import type { Difference } from '../../../migrate/index.ts';
import { checkCode, type CodeProblem } from '../../../platform-api/actions-v3/index.ts';
import { toErrorValue } from '../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { AcceptedDifference, SavedWork } from './saved-work.ts';

/** Characters of code that are checked at once. */
const LONG = 50_000;
/** Without typing, in milliseconds. */
const MOMENT = 300;

export class CodeEdit {
  readonly code = signal('');
  readonly generated = signal('');
  readonly accepted = signal<readonly AcceptedDifference[]>([]);
  readonly isEdited = computed(() => this.code.value !== this.generated.value);
  /** Whether the edited code is of an earlier version of the pipeline. */
  readonly isOutdated = signal(false);
  /** Syntax errors, and rules of V3 that the code breaks. Long code is checked once nobody has typed for a moment. */
  readonly problems = signal<readonly CodeProblem[]>([]);
  /** Why the edit couldn’t be loaded or stored. */
  readonly error = signal<ErrorValue | null>(null);
  readonly #saved: SavedWork;
  /** Hash of the pipeline that the code is of. */
  #pipeline = '';
  /** Of the pipeline as it is now. */
  #current = '';
  #check: ReturnType<typeof setTimeout> | undefined;

  constructor(saved: SavedWork) {
    this.#saved = saved;
  }

  /** Shows the generated code, or what was made of it. */
  async load(generated: string, pipeline: string): Promise<void> {
    let work = null;
    try {
      work = await this.#saved.read();
    } catch (thrown) {
      this.error.value = toErrorValue(thrown);
    }
    this.#current = pipeline;
    batch(() => {
      this.generated.value = generated;
      this.code.value = work?.code ?? generated;
      this.accepted.value = work?.accepted ?? [];
      this.isOutdated.value = work?.code != null && work.pipeline !== pipeline;
      this.#pipeline = this.isOutdated.value ? (work?.pipeline ?? '') : pipeline;
      this.#checkCode();
    });
  }

  readonly set = (code: string): void => {
    if (code === this.code.peek()) return;
    batch(() => {
      this.code.value = code;
      this.#checkCode();
    });
    this.#store();
  };

  /** Restores the generated code. */
  readonly startOver = (): void => {
    batch(() => {
      this.code.value = this.generated.peek();
      this.isOutdated.value = false;
      this.#checkCode();
    });
    this.#pipeline = this.#current;
    this.#store();
  };

  /** Keeps the edited code for the pipeline as it is now. */
  readonly keep = (): void => {
    this.isOutdated.value = false;
    this.#pipeline = this.#current;
    this.#store();
  };

  /** Says why a difference is fine. */
  accept(difference: Difference, reason: string): void {
    const { what, path, place } = difference;
    const others = this.accepted.peek().filter((each) => !isSame(each, difference));
    this.accepted.value = [...others, { what, path, ...(place !== undefined && { place }), reason }];
    this.#store();
  }

  withdraw(difference: Difference): void {
    this.accepted.value = this.accepted.peek().filter((each) => !isSame(each, difference));
    this.#store();
  }

  /** Why the difference was accepted; null if it wasn’t. */
  reasonOf(difference: Difference): string | null {
    return this.accepted.value.find((each) => isSame(each, difference))?.reason ?? null;
  }

  dismiss = (): void => {
    this.error.value = null;
  };

  #checkCode(): void {
    clearTimeout(this.#check);
    const check = (): void => void (this.problems.value = checkCode(this.code.peek()));
    if (this.code.peek().length <= LONG) check();
    else this.#check = setTimeout(check, MOMENT);
  }

  #store(): void {
    const code = this.isEdited.peek() ? this.code.peek() : null;
    const work = { pipeline: this.#pipeline, code, accepted: [...this.accepted.peek()] };
    this.#saved.write(work).then(
      () => {},
      (thrown: unknown) => (this.error.value = toErrorValue(thrown)),
    );
  }
}

const isSame = (accepted: AcceptedDifference, { what, path, place }: Difference): boolean =>
  accepted.what === what && accepted.path === path && accepted.place === place;
