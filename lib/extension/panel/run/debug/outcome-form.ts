/** Chooses what happens instead of the paused step: a value, an error, a skip, or a branch. */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { branchesOf } from '../../../../debugging/stepper/breakpoints.ts';
import type { ChosenOutcome, ResumeCommand } from '../../../../debugging/stepper/types.ts';
import type { PipelineStep } from '../../../../pipeline/index.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { isRecord } from '../../../../shared/objects.ts';
import { findJsonError } from '../payload/json-error.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import { conditionOf } from '../step-definition.ts';
import type { PauseControl, StepPause } from './pause-control.ts';

export type OutcomeKind = 'value' | 'error' | 'skip' | 'branch';

export interface Branch {
  /** Identifies the branch in the form. */
  id: string;
  branch: number | 'else' | null;
  /** Such as `when`, `or when`, or `else`. */
  label: string;
  /** Absent for `else`, and for no branch. */
  condition?: string;
}

/** What a value can have, in characters of JSON. */
const VALUE_LIMIT = 1_000_000;

export class OutcomeForm {
  readonly #control: Pick<PauseControl, 'current' | 'end'>;
  readonly #nodes: ReadonlySignal<readonly PipelineNode[]>;
  readonly #chosen = signal<OutcomeKind | null>(null);
  /** JSON text. Blank for no value. */
  readonly value = signal('');
  readonly errorName = signal('');
  readonly errorMessage = signal('');
  readonly branchId = signal('');
  readonly isOpen = signal(false);
  /** Why the outcome couldn't be set. */
  readonly error = signal<ErrorValue | null>(null);
  readonly branches = computed(() => this.#branches());
  /** Those that the paused step can have. */
  readonly kinds = computed((): readonly OutcomeKind[] =>
    this.branches.value.length > 0 ? ['branch', 'error', 'skip'] : ['value', 'error', 'skip'],
  );
  readonly kind = computed((): OutcomeKind => {
    const chosen = this.#chosen.value;
    return chosen !== null && this.kinds.value.includes(chosen) ? chosen : this.kinds.value[0]!;
  });
  readonly problem = computed(() => this.#problem());
  readonly dispose: () => void;

  constructor(control: Pick<PauseControl, 'current' | 'end'>, nodes: ReadonlySignal<readonly PipelineNode[]>) {
    this.#control = control;
    this.#nodes = nodes;
    this.dispose = effect(() => {
      // Another step has another outcome.
      void this.#control.current.value;
      this.close();
    });
  }

  readonly open = (): void => {
    this.error.value = null;
    this.branchId.value = this.branches.peek()[0]?.id ?? '';
    this.isOpen.value = true;
  };

  readonly close = (): void => {
    this.isOpen.value = false;
    this.error.value = null;
  };

  choose(kind: OutcomeKind): void {
    this.#chosen.value = kind;
  }

  /** Resumes the run with the outcome. */
  async submit(): Promise<void> {
    if (this.problem.peek() !== null) return;
    const error = await this.#control.end({ go: this.#go(), outcome: this.#outcome() });
    if (error) this.error.value = error;
  }

  /** Pauses at the next step, so that users see what the outcome changes. After a failure, the run continues. */
  #go(): ResumeCommand['go'] {
    if (this.#control.current.peek()?.reason === 'failure') return 'resume';
    return this.kind.peek() === 'branch' ? 'into' : 'over';
  }

  #outcome(): ChosenOutcome {
    switch (this.kind.peek()) {
      case 'value':
        return { value: this.value.peek().trim() === '' ? undefined : JSON.parse(this.value.peek()) };
      case 'error': {
        const name = this.errorName.peek().trim();
        return { error: { ...(name && { name }), message: this.errorMessage.peek() } };
      }
      case 'skip':
        return { skip: true };
      case 'branch':
        return { branch: this.branches.peek().find(({ id }) => id === this.branchId.peek())?.branch ?? null };
    }
  }

  #problem(): string | null {
    const kind = this.kind.value;
    if (kind === 'error') return this.errorMessage.value.trim() === '' ? 'Enter a message' : null;
    const text = this.value.value;
    if (kind !== 'value' || text.trim() === '') return null;
    if (text.length > VALUE_LIMIT) return `A value is limited to ${VALUE_LIMIT} characters`;
    const found = findJsonError(text);
    return found && `Expected ${found.expected} at line ${found.line}, column ${found.column}`;
  }

  #branches(): readonly Branch[] {
    const pause = this.#control.current.value;
    // After its failure, an `if` can't choose another branch anymore.
    if (pause?.traceStep.kind !== 'if' || pause.reason === 'failure') return [];
    const source = this.#nodes.value.find(({ path }) => path === pause.traceStep.path)?.source;
    return isRecord(source) ? branchList(source) : [];
  }
}

function branchList(source: Record<string, unknown>): Branch[] {
  const conditions = Array.isArray(source['conditions']) ? source['conditions'] : [];
  return branchesOf({ ...source, conditions } as PipelineStep).map((branch): Branch => {
    if (branch === null) return { id: 'none', branch, label: 'no branch' };
    if (branch === 'else') return { id: 'else', branch, label: 'else' };
    const label = branch === 0 ? 'when' : 'or when';
    return { id: String(branch), branch, label, condition: conditionOf(conditions[branch]) };
  });
}

/** What the form's button is called. */
export function outcomeButton(kind: OutcomeKind, pause: Pick<StepPause, 'reason'> | null): string {
  if (kind === 'branch') return 'Force branch';
  if (kind === 'skip') return 'Skip step';
  if (pause?.reason !== 'failure') return kind === 'value' ? 'Set value' : 'Set error';
  return kind === 'value' ? 'Continue with this value' : 'Fail with this error';
}
