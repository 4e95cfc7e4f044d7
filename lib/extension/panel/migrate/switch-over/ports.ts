/** Connects a switch-over to the platform: over its endpoints, or through the page in the tab. */
import type { Result } from '../../../../platform-api/errors.ts';
import type { Firing, JournalStore, Ports, V3Port } from '../../../../migrate/switch-over/index.ts';
import type { ApiTarget } from '../../../inspector/api/contract.ts';
import type { PageApi } from '../../../inspector/api/page-api.ts';
import type { OfApp, Send } from '../../../messaging/protocol.ts';
import type { ActionsBackend } from '../../actions/backend/types.ts';
import { LogsWay } from './ways/logs.ts';
import { V2Way } from './ways/v2.ts';
import { V3Page } from './ways/v3-page.ts';
import { V3Rest } from './ways/v3-rest.ts';

export interface WaysOptions {
  of: OfApp;
  /** The V2 action. */
  actionId: number;
  firing: Pick<Firing, 'triggers'>;
  send: Send;
  pageApi: Pick<PageApi, 'call'>;
  /** The current way to the app’s actions. */
  backend: () => ActionsBackend;
  /** The page in the tab, if that’s the way. */
  target: () => Result<ApiTarget>;
  journal: JournalStore;
}

export function portsOf({ of, actionId, firing, send, pageApi, backend, target, journal }: WaysOptions): Ports {
  const isPage = (): boolean => backend().way === 'page';
  const rest = new V3Rest(send, of);
  const page = new V3Page(pageApi, target);
  const v3 = (): V3Port => (isPage() ? page : rest);
  const clock = async (): Promise<Result<number>> => {
    if (isPage()) return { ok: true, value: Date.now() };
    const read = await send('clock.get', { environmentId: of.environmentId });
    return read.ok ? { ok: true, value: Date.parse(read.value.now) } : read;
  };
  const filters = firing.triggers.flatMap(({ trigger, where = {} }) => (trigger === 'log' ? [where] : []));
  return {
    v2: new V2Way(backend, actionId),
    v3: {
      read: (id) => v3().read(id),
      findByName: (name) => v3().findByName(name),
      create: (draft) => v3().create(draft),
      update: (seen, change) => v3().update(seen, change),
      publish: (seen) => v3().publish(seen),
      unpublish: (seen) => v3().unpublish(seen),
      remove: (seen) => v3().remove(seen),
      run: (id, payload) => v3().run(id, payload),
    },
    logs: new LogsWay({ backend, filters, now: clock, logsV3: (id, offset) => page.logs(id, offset) }),
    journal,
    now: Date.now,
  };
}
