/** Connects a surface, such as the popup, to the background worker and to the extension’s other pages. */
import { createChannel, type SharedStorage } from './announcements.ts';
import { Lock } from './lock.ts';
import { createSend } from './send.ts';
import { StoredChanges } from './stored-changes.ts';

interface SurfaceBrowser {
  runtime: Parameters<typeof createSend>[0];
  /** Its types lack the areas that not every browser has. */
  storage: unknown;
}

export function connectSurface({ runtime, storage }: SurfaceBrowser) {
  const shared = storage as SharedStorage;
  const changes = new StoredChanges(createChannel(shared, 'stored'));
  const lock = new Lock(changes.announced(createSend(runtime)), createChannel(shared, 'lock'));
  return { shared, changes, lock };
}
