/** Connects a switch-over to the platform: over its endpoints, or through the page in the tab. */
import type { LogList } from '../../../../platform-api/log.ts';
import type { Result } from '../../../../platform-api/errors.ts';
import type { Firing, JournalStore, Ports, V3Port } from '../../../../migrate/switch-over/index.ts';
import type { ApiTarget } from '../../../inspector/api/contract.ts';
import type { PageApi } from '../../../inspector/api/page-api.ts';
import type { OfApp, Send } from '../../../messaging/protocol.ts';
import { parseLogs } from '../../actions/backend/page-records.ts';
import { TIME_LIMITS } from '../../actions/backend/page.ts';
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
  target: () => ApiTarget | null;
  journal: JournalStore;
}

/** A page that has been left calls nothing. */
const NO_PAGE: ApiTarget = { documentId: '', appId: -1, namespace: 'Platform' };

export function portsOf({ of, actionId, firing, send, pageApi, backend, target, journal }: WaysOptions): Ports {
  const isPage = (): boolean => backend().way === 'page';
  const pageTarget = (): ApiTarget => target() ?? NO_PAGE;
  const rest = new V3Rest(send, of);
  const page = new V3Page(pageApi, pageTarget);
  const v3 = (): V3Port => (isPage() ? page : rest);
  const logsV3 = async (id: number, offset: number): Promise<Result<LogList>> => {
    const call = { task: 'load the log', limit: TIME_LIMITS.read, args: [{ id, limit: 500, offset }] };
    const read = await pageApi.call(pageTarget(), { path: 'App.V3.Actions.getLogs', ...call });
    if (!read.ok) return read;
    const list = parseLogs(read.value, of.appId);
    if (list) return { ok: true, value: list };
    const message = 'Couldn’t load the log: App.V3.Actions.getLogs() didn’t return what V3 returns elsewhere.';
    return { ok: false, error: { code: 'PAGE_ANSWER_UNREADABLE', message } };
  };
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
    logs: new LogsWay({ backend, filters, now: clock, logsV3 }),
    journal,
    now: Date.now,
  };
}
