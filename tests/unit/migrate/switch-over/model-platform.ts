/**
 * A small platform with one V2 action and V3 actions, which fires them for events. Every request and every write of the
 * journal is an operation at which it can be told to lose the caller, the response, or to act late.
 */
import type { Result } from '../../../../lib/platform-api/coded-error.ts';
import type { LogRecord } from '../../../../lib/platform-api/log.ts';
import type { Trigger } from '../../../../lib/platform-api/action.ts';
import { whereMismatches } from '../../../../lib/platform-api/where.ts';
import type { Draft, Firing, Journal, Ports, V2State, V3State } from '../../../../lib/migrate/switch-over/index.ts';

/** `rest`: reports what is live, and which event each run handled. `page`: neither. */
export type Kind = 'rest' | 'page';

/**
 * What happens at an operation. `die-before` and `die-after`: the caller never learns about it, and does nothing more.
 * `unknown`: the caller gets no response. `late`: nor is anything changed until some operations later.
 */
export interface Fault {
  /** The number or the name of an operation. */
  at: number | string;
  what: 'die-before' | 'die-after' | 'unknown' | 'late';
  /** For `late`: after how many more operations. */
  by?: number;
}

const TRIGGERS: Trigger[] = [{ trigger: 'log', where: { type: 'x' } }, { trigger: 'schedule' }, { trigger: 'manual' }];
export const FIRING: Firing = { triggers: TRIGGERS, frequency: '0 * * * *', timezone: 'UTC' };
export const DRAFT: Draft = {
  ...FIRING,
  name: 'job-v3',
  code: 'async function execute(context) {}',
  description: null,
  environment: 'server',
  dependencies: [],
};

interface Copy extends Firing {
  active: boolean;
}
interface Stored extends Copy {
  id: number;
  name: string;
  code: string;
  revision: number;
  published: Copy | null;
}

const START = Date.parse('2026-03-02T00:30:00Z');
const dead = new Error('The process is gone.');
const ok = <T>(value: T): Result<T> => ({ ok: true, value });
const failed = (code: string): Result<never> => ({ ok: false, error: { code, message: code } });
const copyOf = ({ triggers, frequency, timezone, active }: Copy): Copy => ({ triggers, frequency, timezone, active });

/** What stores a journal. */
export interface Browser {
  journal: Journal | null;
}

export class ModelPlatform implements Browser {
  readonly kind: Kind;
  time = START;
  v2: Stored | null = { ...FIRING, id: 1, name: 'job', code: '', active: true, revision: 1, published: null };
  v3s: Stored[] = [];
  logs: LogRecord[] = [];
  journal: Journal | null = null;
  /** Which versions handled each event: a log record's ID, or a scheduled time. */
  readonly effects = new Map<string, string[]>();
  /** Whether runs end, and are logged, only later. */
  isSlow = false;
  /** V2's unpublished changes. */
  edits: string[] = [];
  /** Names of the operations so far. */
  readonly operations: string[] = [];
  /** Called before each operation that can change something. */
  onOperation: () => void = () => {};
  fault: Fault | null = null;
  #nextId = 2;
  #lateWork: { at: number; work: () => void }[] = [];

  constructor(kind: Kind) {
    this.kind = kind;
    this.v2!.published = copyOf(this.v2!);
  }

  /**
   * A process: once it's dead, nothing that it does has an effect.
   * @param pause waited for before each of its operations
   * @param browser where the journal is
   */
  ports(pause: (number: number) => Promise<void> = async () => {}, browser: Browser = this): Ports {
    let isDead = false;
    let own = 0;
    const operation = async <T>(name: string, work: () => T, unknown: () => T): Promise<T> => {
      await pause(own++);
      if (isDead) throw dead;
      const number = this.operations.push(name) - 1;
      this.#doLateWork(number);
      if (!/read/.test(name)) this.onOperation();
      const fault = this.fault && [number, name].includes(this.fault.at) ? this.fault : null;
      if (fault?.what === 'die-before') isDead = true;
      if (isDead) throw dead;
      if (fault?.what === 'late' && !name.startsWith('journal') && !name.startsWith('read')) {
        this.#lateWork.push({ at: number + (fault.by ?? 1), work: () => void work() });
        return unknown();
      }
      const result = work();
      if (fault?.what === 'die-after') isDead = true;
      if (isDead) throw dead;
      return fault?.what === 'unknown' && !name.startsWith('journal') ? unknown() : result;
    };
    const lost = () => failed('OUTCOME_UNKNOWN');
    const request = <T>(name: string, work: () => Result<T>): Promise<Result<T>> => operation(name, work, lost);
    return {
      now: () => this.time,
      journal: {
        read: () =>
          operation(
            'journal.read',
            () => structuredClone(browser.journal),
            () => null,
          ),
        write: (journal) =>
          operation(
            'journal.write',
            () => void (browser.journal = structuredClone(journal)),
            () => undefined,
          ),
      },
      v2: {
        read: () => request('read.v2', () => ok(this.#v2State())),
        setActive: (seen, active) => request('v2.update', () => this.#updateV2(seen, active)),
        publish: (seen, publish) => request('v2.publish', () => this.#publishV2(seen, publish)),
        remove: () => request('v2.remove', () => ok(((this.v2 = null), null))),
        run: (payload) => request('v2.run', () => this.#run(this.v2!, 'v2', payload)),
      },
      v3: {
        read: (id) => request('read.v3', () => ok(this.#v3State(this.v3s.find((each) => each.id === id)))),
        findByName: (name) => request('read.v3s', () => ok(this.#v3State(this.v3s.find((each) => each.name === name)))),
        create: (draft) => request('v3.create', () => this.#create(draft)),
        update: (seen, change) => request('v3.update', () => this.#updateV3(seen, change)),
        publish: (seen) => request('v3.publish', () => this.#publishV3(seen)),
        unpublish: ({ id }) => request('v3.unpublish', () => ok(((this.#find(id).published = null), null))),
        remove: ({ id }) =>
          request('v3.remove', () => ok(((this.v3s = this.v3s.filter((each) => each.id !== id)), null))),
        run: (id, payload) => request('v3.run', () => this.#run(this.#find(id), 'v3', payload)),
      },
      logs: {
        namesEvents: this.kind === 'rest',
        now: () => request('read.now', () => ok(this.time)),
        newestId: () => request('read.newest', () => ok(this.logs.length)),
        matching: (where, after) =>
          request('read.events', () =>
            ok(this.logs.filter((log) => log.id > after && whereMismatches(where, log).length === 0)),
          ),
        runsOf: ({ id }, after) =>
          request('read.runs', () => ok(this.logs.filter((log) => log.id > after && log.data['actionId'] === id))),
      },
    };
  }

  /** Adds a log record, which fires what is live. */
  event(): number {
    const record = this.#log('x', {});
    for (const [version, action] of this.#actions())
      if (fires(action.published, 'log')) this.#handle(action.id, version, `log:${record.id}`, { logId: record.id });
    return record.id;
  }

  /** A run of V2 that was queued before it was taken off. */
  endQueuedRun(logId: number): void {
    this.#log('app.task.completed', { actionId: this.v2!.id, mode: 'scheduled', duration: 5, logId });
  }

  /** A call of V2, such as from its preview page. */
  endCall(): void {
    this.#log('app.action.completed', { actionId: this.v2!.id, mode: 'on-demand', duration: 5 });
  }

  /** Moves the clock, and fires what is due on the way. */
  advance(milliseconds: number): void {
    const to = this.time + milliseconds;
    for (let hour = Math.ceil((this.time + 1) / 3_600_000) * 3_600_000; hour <= to; hour += 3_600_000) {
      this.time = hour;
      const dueAt = new Date(hour).toISOString();
      this.effects.set(`due:${dueAt}`, this.effects.get(`due:${dueAt}`) ?? []);
      for (const [version, action] of this.#actions())
        if (action.published?.frequency && fires(action.published, 'schedule'))
          this.#handle(action.id, version, `due:${dueAt}`, { dueAt });
    }
    this.time = to;
  }

  /** Late requests that haven't arrived yet. */
  doAllLateWork(): void {
    this.#doLateWork(Infinity);
  }

  /** The versions that fire by themselves. */
  firing(): string[] {
    return this.#actions().flatMap(([version, { published }]) => (fires(published, 'log') ? [version] : []));
  }

  #actions(): ['v2' | 'v3', Stored][] {
    const v3s = this.v3s.map((action): ['v3', Stored] => ['v3', action]);
    return this.v2 ? [['v2', this.v2], ...v3s] : v3s;
  }

  #doLateWork(now: number): void {
    const due = this.#lateWork.filter(({ at }) => at <= now);
    this.#lateWork = this.#lateWork.filter(({ at }) => at > now);
    for (const { work } of due) work();
  }

  #log(type: string, data: Record<string, unknown>): LogRecord {
    const nothing = { organizationId: null, dataSourceId: null, dataSourceEntryId: null, appNotificationId: null };
    const createdAt = new Date(this.time).toISOString();
    const record = { ...nothing, sessionId: null, appId: 1, id: this.logs.length + 1, type, data, createdAt };
    this.logs.push(record);
    if (type === 'x') this.effects.set(`log:${record.id}`, []);
    return record;
  }

  #handle(actionId: number, version: string, key: string, named: object, mode = 'scheduled'): void {
    this.effects.set(key, [...(this.effects.get(key) ?? []), version]);
    const data = { actionId, mode, duration: 5, ...(this.kind === 'rest' && named) };
    if (!this.isSlow) this.#log('app.task.completed', data);
  }

  #run(action: Stored, version: 'v2' | 'v3', payload: Record<string, unknown>): Result<null> {
    if (!fires(action.published, 'manual')) return failed('ACTION_INACTIVE');
    const { log } = payload as { log?: LogRecord };
    const key = log ? `log:${log.id}` : (this.handing ?? 'manual');
    this.#handle(action.id, version, key, log ? { logId: log.id } : {}, 'on-demand');
    return ok(null);
  }

  /** The scheduled time that's being handed over, since its payload doesn't name it. */
  handing: string | null = null;

  #v2State(): V2State | null {
    const { v2 } = this;
    if (!v2) return null;
    const reports = this.kind === 'rest';
    return {
      ...copyOf(v2),
      id: v2.id,
      name: v2.name,
      isLive: reports ? v2.published?.active === true : undefined,
      edits: reports ? this.edits : undefined,
      revision: reports ? v2.revision : undefined,
    };
  }

  #v3State(action: Stored | undefined): V3State | null {
    if (!action) return null;
    const { id, name, code, revision, published } = action;
    const reports = this.kind === 'rest';
    const live = reports ? published : undefined;
    return { ...copyOf(action), id, name, code, live, revision: reports ? revision : undefined };
  }

  #find(id: number): Stored {
    return this.v3s.find((each) => each.id === id)!;
  }

  #isStale(action: Stored, seen: { revision: number | undefined }): boolean {
    return seen.revision !== undefined && seen.revision !== action.revision;
  }

  #updateV2(seen: V2State, active: boolean): Result<V2State> {
    if (this.#isStale(this.v2!, seen)) return failed('CONFLICT');
    Object.assign(this.v2!, { active, revision: this.v2!.revision + 1 });
    return ok(this.#v2State()!);
  }

  #publishV2(seen: V2State, publish: boolean): Result<null> {
    if (publish && this.#isStale(this.v2!, seen)) return failed('CONFLICT');
    this.v2!.published = publish ? copyOf(this.v2!) : null;
    return ok(null);
  }

  #create(draft: Draft): Result<V3State> {
    if (this.v3s.some(({ name }) => name === draft.name)) return failed('NAME_TAKEN');
    const { name, code, triggers, frequency, timezone } = draft;
    const id = this.#nextId++;
    const created = { id, name, code, triggers, frequency, timezone, active: false, revision: 1, published: null };
    this.v3s.push(created);
    return ok(this.#v3State(created)!);
  }

  #updateV3(seen: V3State, change: Copy): Result<V3State> {
    const action = this.#find(seen.id);
    if (this.#isStale(action, seen)) return failed('CONFLICT');
    Object.assign(action, copyOf(change), { revision: action.revision + 1 });
    return ok(this.#v3State(action)!);
  }

  #publishV3(seen: V3State): Result<V3State> {
    const action = this.#find(seen.id);
    if (this.#isStale(action, seen)) return failed('CONFLICT');
    action.published = copyOf(action);
    return ok(this.#v3State(action)!);
  }
}

const fires = (copy: Copy | null, by: Trigger['trigger']): boolean =>
  copy?.active === true && copy.triggers.some(({ trigger }) => trigger === by);
