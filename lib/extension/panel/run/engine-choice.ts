/** Remembers for each environment what runs its pages’ pipelines: the platform’s runtime, unless you choose our engine. */
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { readStored, type StringStorage, writeStored } from '../../../shared/stored-value.ts';
import type { Engine, PageState } from '../../inspector/contract.ts';

export const ENGINE_NAMES: Record<Engine, string> = { platform: 'Platform’s runtime', ours: 'Our engine' };

/**
 * Whether to offer the choice: only where it makes a difference, which is in a page whose runtime doesn’t report its
 * steps. Our engine can always be left again.
 */
export function offersEngine(page: Pick<PageState, 'platform' | 'tracing'> | null, chosen: Engine): boolean {
  return chosen === 'ours' || (page?.platform === 'ready' && page.tracing !== 'observed');
}

/** IDs of the environments with our engine, separated by spaces. */
const KEY = 'platform-devtools.our-engine';
/** For pages that were opened without an environment. */
const NO_ENVIRONMENT = 'none';

export class EngineChoice {
  readonly #memory: StringStorage;
  readonly #environmentId: ReadonlySignal<string>;
  readonly #ours = signal<ReadonlySet<string>>(new Set());
  /** For the selected environment. */
  readonly chosen = computed((): Engine => (this.#ours.value.has(this.#environmentId.value) ? 'ours' : 'platform'));

  constructor(memory: StringStorage, environment: ReadonlySignal<{ id: string } | null>) {
    this.#memory = memory;
    this.#environmentId = computed(() => environment.value?.id ?? NO_ENVIRONMENT);
    this.#ours.value = new Set(readStored(memory, KEY)?.split(' ').filter(Boolean));
  }

  readonly choose = (engine: Engine): void => {
    const ours = new Set(this.#ours.peek());
    if (engine === 'ours') ours.add(this.#environmentId.peek());
    else ours.delete(this.#environmentId.peek());
    this.#ours.value = ours;
    writeStored(this.#memory, KEY, [...ours].join(' '));
  };
}
