/** A switch-over on a real platform, while records, calls, and scheduled times keep coming. */
import { expect, vi } from 'vitest';
import { actionHandlers, platformHandlers } from '../../../lib/extension/background/handlers/platform.ts';
import { actionV3Handlers } from '../../../lib/extension/background/handlers/actions-v3.ts';
import type { Connections } from '../../../lib/extension/background/handlers/connections.ts';
import type { SessionPages } from '../../../lib/extension/background/session-pages.ts';
import type { PageApi } from '../../../lib/extension/inspector/api/page-api.ts';
import type { Send } from '../../../lib/extension/messaging/protocol.ts';
import { PageActions } from '../../../lib/extension/panel/actions/backend/page.ts';
import { RestActions } from '../../../lib/extension/panel/actions/backend/rest.ts';
import { portsOf } from '../../../lib/extension/panel/migrate/switch-over/ports.ts';
import { migrate, type V2Action } from '../../../lib/migrate/index.ts';
import { type Draft, type Journal, type Ports, RUN_WAIT, SwitchOver } from '../../../lib/migrate/switch-over/index.ts';
import { type Action, toErrorValue, type Trigger } from '../../../lib/platform-api/index.ts';
import type { ProfileName } from '../../../lib/platform-api/actions-v3/profiles.ts';
import { type AppPage, openAppPage } from './app-page.ts';
import { startForTest, type TestPlatform } from './platform.ts';
import { step } from './page.ts';

/** A published app, and one of its data sources, which gets an entry from each run. */
const APP = 102;
const OF = { environmentId: 'e', appId: APP };
const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T00:30:00Z');

const TRIGGERS: Trigger[] = [
  { trigger: 'log', where: { type: 'order.created' } },
  { trigger: 'schedule' },
  { trigger: 'manual' },
];

export class LiveWorld {
  readonly platform: TestPlatform;
  readonly #dataSource: number;
  readonly #page: AppPage | null;
  action!: Action;
  draft!: Draft;
  journal: Journal | null = null;
  /** What callers call: they move from one version to the other. */
  callee: 'v2' | 'v3' = 'v2';
  /** Called before each message or call of the panel that changes something. */
  onMessage: (name: string) => Promise<void> = async () => {};
  /** The name of a message after whose effect the panel is gone. */
  dieAfter: string | null = null;
  /** How the ports lie in tests that have to fail. */
  sabotage: (ports: Ports) => Ports = (ports) => ports;
  readonly #expected = new Set<string>();
  #time = START;
  #panelTime = Date.now();
  #count = 0;
  #isDead = false;

  private constructor(platform: TestPlatform, dataSource: number, page: AppPage | null) {
    this.platform = platform;
    this.#dataSource = dataSource;
    this.#page = page;
  }

  static async start(way: 'rest' | 'page', v3Profile: ProfileName = 'plain'): Promise<LiveWorld> {
    const platform = await startForTest({ clock: new Date(START), oauthDemoPort: null, v3RunLimit: 10_000, v3Profile });
    const listed = await platform.ask<{ dataSources: { id: number }[] }>(`/v1/apps/${APP}/data-sources`);
    const page = way === 'page' ? await openAppPage(platform, `/v1/apps/${APP}/preview`) : null;
    const world = new LiveWorld(platform, listed.body.dataSources[0]!.id, page);
    await world.#createV2();
    return world;
  }

  async #createV2(): Promise<void> {
    const event = "{{log?.data?.event ?? call ?? 'schedule'}}";
    const action = {
      name: 'orders',
      functions: [step('write-datasource', { dataSourceId: this.#dataSource, entries: [{ switchOver: event }] })],
      environment: 'server' as const,
      triggers: TRIGGERS,
      frequency: '0 * * * *',
      timezone: 'UTC',
    };
    const created = await this.#ask<{ action: Action }>(`/v1/apps/${APP}/actions`, action);
    await this.#ask(`/v1/apps/${APP}/actions/${created.action.id}/publish`, { publish: true });
    this.action = created.action;
    const migrated = migrate(action as V2Action);
    if (!migrated.ok) return expect.unreachable(migrated.error.message);
    const { actionVersion: _, active: __, ...properties } = migrated.value.action;
    this.draft = { ...(properties as Omit<Draft, 'code'>), name: 'orders-v3', code: migrated.value.code };
  }

  /** A new panel, which finds the journal of the last one. */
  panel(): SwitchOver {
    this.#isDead = false;
    return new SwitchOver(this.sabotage(this.#ports()));
  }

  /** An event of each kind that can be caused at any time. */
  async happen(): Promise<void> {
    await this.record();
    await this.call();
  }

  async record(): Promise<void> {
    const event = `record ${++this.#count}`;
    this.#expected.add(event);
    await this.#ask(`/v1/apps/${APP}/logs`, { type: 'order.created', data: { event } });
  }

  async call(): Promise<void> {
    const call = `call ${++this.#count}`;
    this.#expected.add(call);
    const path = this.callee === 'v2' ? `/v1/apps/${APP}/actions/orders/run` : `/v3/apps/${APP}/actions/orders-v3/run`;
    await this.#ask(path, { payload: { call }, mode: 'live' });
  }

  /** Moves the platform’s clock. Each full hour on the way is a scheduled time. */
  async pass(milliseconds: number): Promise<void> {
    const before = Math.floor(this.#time / HOUR);
    this.#time += milliseconds;
    const hours = Math.floor(this.#time / HOUR) - before;
    for (let hour = 1; hour <= hours; hour++) this.#expected.add(`schedule ${before + hour}`);
    await this.#ask('/v1/clock', { advance: milliseconds });
  }

  /** The panel’s computer waits until all queued runs have ended for sure. */
  async wait(): Promise<void> {
    await this.settle();
    this.#panelTime += RUN_WAIT;
  }

  /** Waits until everything that was queued has run: the queue is empty once two more calls have. */
  async settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      await this.call();
      const last = `call ${this.#count}`;
      await vi.waitFor(async () => expect((await this.#handled()).get(last)).toBe(1), {
        timeout: 60_000,
        interval: 100,
      });
    }
  }

  /** The events that were handled by another number of runs than one, with that number. */
  async mistakes(): Promise<[event: string, runs: number][]> {
    await this.settle();
    const handled = await this.#handled();
    const scheduled = [...this.#expected].filter((event) => event.startsWith('schedule ')).length;
    const events = [...this.#expected].filter((event) => !event.startsWith('schedule '));
    return [
      ...events.map((event): [string, number] => [event, handled.get(event) ?? 0]).filter(([, runs]) => runs !== 1),
      // Scheduled runs don’t know for which time they are.
      ...((handled.get('schedule') ?? 0) === scheduled
        ? []
        : [[`schedule, ${scheduled} times`, handled.get('schedule') ?? 0] as [string, number]]),
    ];
  }

  /** How many runs each event has had, by the entries that they left. */
  async #handled(): Promise<Map<string, number>> {
    const path = `/v1/data-sources/${this.#dataSource}/entries`;
    const { entries } = await this.#ask<{ entries: { data: { switchOver?: string } }[] }>(path);
    const handled = new Map<string, number>();
    for (const { data } of entries)
      if (data.switchOver) handled.set(data.switchOver, (handled.get(data.switchOver) ?? 0) + 1);
    return handled;
  }

  async #ask<T>(path: string, body?: unknown): Promise<T> {
    const response = await this.platform.ask<T>(path, { body });
    if (response.status >= 300) throw new Error(`${path}: ${response.text}`);
    return response.body;
  }

  #ports(): Ports {
    const send = this.#send();
    const pageApi = { call: this.#callPage.bind(this) } as unknown as PageApi;
    const target = { documentId: 'd', appId: APP, namespace: 'Platform' };
    const backend = this.#page ? new PageActions(pageApi, OF, target) : new RestActions(send, OF);
    const ports = portsOf({
      of: OF,
      actionId: this.action.id,
      firing: this.draft,
      send,
      pageApi,
      backend: () => backend,
      target: () => ({ ok: true, value: target }),
      journal: {
        read: async () => structuredClone(this.journal),
        write: async (journal) => {
          if (this.#isDead) throw new Error('The panel is gone.');
          this.journal = structuredClone(journal);
        },
      },
    });
    const now = async () => ({ ok: true as const, value: this.#time });
    return { ...ports, now: () => this.#panelTime, logs: this.#page ? withClock(ports.logs, now) : ports.logs };
  }

  /** The worker’s own handlers, with this platform’s connection. */
  #send(): Send {
    const connection = { baseUrl: this.platform.baseUrl, token: this.platform.authToken };
    const connections = {
      read: (_id: string, _key: unknown, _signal: unknown, request: (each: object, options: object) => unknown) =>
        request(connection, {}),
      change: (_id: string, request: (each: object) => unknown) => request(connection),
    } as unknown as Connections;
    const handlers = {
      ...platformHandlers(connections, {} as SessionPages),
      ...actionHandlers(connections),
      ...actionV3Handlers(connections),
    };
    return (async (name: keyof typeof handlers, takes: never) => {
      await this.#before(name);
      const handle = handlers[name] as (takes: never) => Promise<unknown>;
      const result = await handle(takes).then(
        (value) => ({ ok: true, value }),
        (thrown: unknown) => ({ ok: false, error: toErrorValue(thrown) }),
      );
      this.#after(name, takes);
      return result;
    }) as unknown as Send;
  }

  /** Calls the functions of the platform’s page as the agent does, with JSON in between. */
  async #callPage(_target: unknown, { path, args }: { path: string; args: readonly unknown[] }) {
    await this.#before(path);
    const names = path.split('.');
    type Fields = Record<string, unknown>;
    const self = names
      .slice(0, -1)
      .reduce((object, name) => object[name] as Fields, this.#page!.Platform as unknown as Fields);
    try {
      const value: unknown = await (self[names.at(-1)!] as (...args: unknown[]) => unknown).apply(self, [...args]);
      this.#after(path, args);
      return { ok: true, value: JSON.parse(JSON.stringify(value ?? null)) };
    } catch (thrown) {
      const { code, status, message } = thrown as { code: string; status: number; message: string };
      const isRefusal = status >= 400 && status < 500;
      const error = { code: isRefusal ? 'PAGE_CALL_FAILED' : 'OUTCOME_UNKNOWN', status, message };
      return { ok: false, error: { ...error, said: { code, message } } };
    }
  }

  async #before(name: string): Promise<void> {
    if (this.#isDead) throw new Error('The panel is gone.');
    if (/create|update|publish|remove|\.run/.test(name)) await this.onMessage(name);
  }

  #after(name: string, takes: unknown): void {
    if (this.dieAfter === null || `${name} ${JSON.stringify(takes)}`.search(this.dieAfter) === -1) return;
    this.dieAfter = null;
    this.#isDead = true;
    throw new Error('The panel is gone.');
  }
}

const withClock = (logs: Ports['logs'], now: Ports['logs']['now']): Ports['logs'] => ({
  namesEvents: logs.namesEvents,
  now,
  newestId: () => logs.newestId(),
  matching: (where, after) => logs.matching(where, after),
  runsOf: (action, after) => logs.runsOf(action, after),
});
