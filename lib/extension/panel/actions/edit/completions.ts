/** Loads the editor's suggestions: function packages for steps, and the app's data sources. */
import { signal } from '@preact/signals';
import type { FunctionDescriptor } from '../../../../platform-api/action.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import type { ActionsBackend } from '../backend/types.ts';

export class Completions {
  /** Null until loaded, or if unavailable. The same goes for data sources. */
  readonly packages = signal<readonly FunctionDescriptor[] | null>(null);
  readonly dataSources = signal<readonly DataSource[] | null>(null);
  readonly #backend: () => Pick<ActionsBackend, 'functions' | 'dataSources'>;

  constructor(backend: () => Pick<ActionsBackend, 'functions' | 'dataSources'>) {
    this.#backend = backend;
  }

  async load(): Promise<void> {
    const backend = this.#backend();
    const [functions, sources] = await Promise.all([backend.functions(), backend.dataSources()]);
    // An empty list doesn't mean that the platform has no packages.
    if (functions.ok && functions.value.length > 0) this.packages.value = functions.value;
    if (sources.ok) this.dataSources.value = sources.value;
  }
}

/** The public interface of `Completions`, for use without a platform. */
export type CompletionSource = Pick<Completions, keyof Completions>;
export const NO_COMPLETIONS: CompletionSource = {
  packages: signal(null),
  dataSources: signal(null),
  load: async () => {},
};
