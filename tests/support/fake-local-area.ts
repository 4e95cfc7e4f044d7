/** A browser’s `storage.local` in memory. */
import type { LocalArea } from '../../lib/extension/background/handlers/endpoint-gates.ts';

export function fakeLocalArea(stored: Record<string, unknown> = {}): LocalArea {
  return {
    get: async (keys) => structuredClone(keys === null ? stored : { [keys]: stored[keys] }),
    set: async (items) => void Object.assign(stored, structuredClone(items)),
    remove: async (keys) => {
      for (const key of [keys].flat()) delete stored[key];
    },
  };
}
