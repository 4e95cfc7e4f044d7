/** Owns what an editor knows of the platform beyond the action: the packages that a step can name, and the app's data sources. */
import { signal, type ReadonlySignal } from '@preact/signals';
import type { FunctionDescriptor } from '../../../../platform-api/action.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import type { OfApp, Send } from '../../../messaging/protocol.ts';

/** Each null until it is read, and where it cannot be. */
export interface Completions {
  readonly packages: ReadonlySignal<readonly FunctionDescriptor[] | null>;
  readonly dataSources: ReadonlySignal<readonly DataSource[] | null>;
  load(): Promise<void>;
}

export function createCompletions(send: Send, of: OfApp): Completions {
  const packages = signal<readonly FunctionDescriptor[] | null>(null);
  const dataSources = signal<readonly DataSource[] | null>(null);
  return {
    packages,
    dataSources,
    async load() {
      const [functions, sources] = await Promise.all([
        send('functions.list', { environmentId: of.environmentId }),
        send('dataSources.list', of),
      ]);
      // An installation that names none may have some all the same.
      if (functions.ok && functions.value.length > 0) packages.value = functions.value;
      if (sources.ok) dataSources.value = sources.value;
    },
  };
}

export const NO_COMPLETIONS: Completions = { packages: signal(null), dataSources: signal(null), load: async () => {} };
