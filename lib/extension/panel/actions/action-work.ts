/** Owns what is done to an action from its detail: published, removed, run; one thing at a time for each action, and how it went. */
import { signal } from '@preact/signals';
import type { Action } from '../../../platform-api/action.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { LogRecord } from '../../../platform-api/log.ts';
import type { RemoteValue } from '../../inspector/contract.ts';
import type { OfApp, Send } from '../../messaging/protocol.ts';
import { describeJson } from './described.ts';

export type WorkKind = 'publish' | 'unpublish' | 'remove' | 'run' | 'result';

/** How a run went; `record` is its log record, once that is there. */
export type RunOutcome =
  | { kind: 'queued'; runId: string; since: number; record: LogRecord | null; lost: ErrorValue | null }
  | { kind: 'waiting'; since: number }
  | { kind: 'left'; since: number }
  | { kind: 'result'; result: RemoteValue; json: string; milliseconds: number }
  | { kind: 'failed'; error: ErrorValue };

export interface Work {
  /** What goes on; null when nothing does. */
  readonly busy: WorkKind | null;
  readonly error: ErrorValue | null;
  readonly run: RunOutcome | null;
}

export interface ActionWork {
  of(actionId: number): Work;
  /** True when it was done. */
  publish(action: Action, publish: boolean): Promise<boolean>;
  remove(action: Action): Promise<boolean>;
  /** Queues a run, then looks for its log record until that is there. */
  run(action: Action, payload: Record<string, unknown>): Promise<void>;
  runWithResult(action: Action, payload: Record<string, unknown>): Promise<void>;
  /** Waits for the result no more; the run goes on. */
  stopWaiting(action: Action): void;
  dismiss(actionId: number): void;
  reset(): void;
}

const NOTHING: Work = { busy: null, error: null, run: null };
/** Between two looks for a run's record, and for how long they go on: a run may wait, and take 120 seconds. In milliseconds. */
const LOOK_EVERY = 1_000;
const LOOK_FOR = 180_000;

export function createActionWork(
  send: Send,
  app: () => OfApp | null,
  changed: () => Promise<void>,
  lookEvery = LOOK_EVERY,
): ActionWork {
  const all = signal<ReadonlyMap<number, Work>>(new Map());
  /** The newest run of each action; an answer to an older one is no longer shown. */
  const newest = new Map<number, symbol>();
  const set = (id: number, change: Partial<Work>): void => {
    all.value = new Map(all.value).set(id, { ...NOTHING, ...all.value.get(id), ...change });
  };

  /** Anything else of that action waits; what it may have changed is read again. */
  async function attempt<T>(
    id: number,
    kind: WorkKind,
    ask: (of: OfApp & { actionId: number }) => Promise<Result<T>>,
  ): Promise<Result<T> | null> {
    const of = app();
    if (!of || all.peek().get(id)?.busy) return null;
    set(id, { busy: kind, error: null });
    const answer = await ask({ ...of, actionId: id });
    // The person has gone to another app meanwhile.
    if (app()?.appId !== of.appId || app()?.environmentId !== of.environmentId) return answer;
    set(id, { busy: null, error: answer.ok ? null : kind === 'run' ? ofRun(answer.error) : answer.error });
    return answer;
  }

  async function change<T>(
    id: number,
    kind: WorkKind,
    ask: (of: OfApp & { actionId: number }) => Promise<Result<T>>,
  ): Promise<boolean> {
    const answer = await attempt(id, kind, ask);
    // Also after a refusal: somebody else may have changed or removed it.
    if (answer) await changed();
    return answer?.ok ?? false;
  }

  function begin(id: number): { isNewest: () => boolean; show: (run: RunOutcome) => void } {
    const mine = Symbol();
    newest.set(id, mine);
    const isNewest = (): boolean => newest.get(id) === mine;
    return { isNewest, show: (run) => isNewest() && set(id, { run }) };
  }

  async function findRecord(
    of: OfApp & { actionId: number },
    runId: string,
    since: number,
    { isNewest, show }: ReturnType<typeof begin>,
  ): Promise<void> {
    while (isNewest() && Date.now() - since < LOOK_FOR) {
      await new Promise((resolve) => setTimeout(resolve, lookEvery));
      if (!isNewest()) return;
      const found = await send('logs.list', {
        environmentId: of.environmentId,
        appId: of.appId,
        query: { id: of.actionId, limit: 1, where: { data: { runId } } },
      });
      const record = found.ok ? (found.value.logs[0] ?? null) : null;
      show({ kind: 'queued', runId, since, record, lost: found.ok ? null : found.error });
      if (record) return changed();
    }
    show({
      kind: 'queued',
      runId,
      since,
      record: null,
      lost: {
        code: 'RECORD_MISSING',
        message: 'The run has no log record yet.',
        hint: 'It may still wait for others, or nobody does runs: look in the logs later.',
      },
    });
  }

  return {
    of: (id) => all.value.get(id) ?? NOTHING,
    publish: (action, publish) =>
      change(action.id, publish ? 'publish' : 'unpublish', (of) =>
        send('actions.publish', {
          ...of,
          publish,
          ...(publish && action.revision !== undefined && { revision: action.revision }),
        }),
      ),
    remove: (action) => change(action.id, 'remove', (of) => send('actions.remove', of)),
    async run({ id }, payload) {
      const since = Date.now();
      const mine = begin(id);
      set(id, { run: null });
      let asked: (OfApp & { actionId: number }) | null = null;
      const answer = await attempt(id, 'run', (of) => {
        asked = of;
        return send('actions.run', { ...of, payload });
      });
      if (!answer?.ok || !asked) return;
      mine.show({ kind: 'queued', runId: answer.value.runId, since, record: null, lost: null });
      await findRecord(asked, answer.value.runId, since, mine);
    },
    async runWithResult({ id }, payload) {
      const of = app();
      if (!of || all.peek().get(id)?.busy) return;
      const mine = begin(id);
      set(id, { error: null });
      mine.show({ kind: 'waiting', since: Date.now() });
      const answer = await send('actions.runWithResult', { ...of, actionId: id, payload });
      if (!mine.isNewest()) return;
      if (!answer.ok) mine.show({ kind: 'failed', error: ofRun(answer.error) });
      else
        mine.show({
          kind: 'result',
          result: describeJson(answer.value.result),
          json: JSON.stringify(answer.value.result ?? null),
          milliseconds: answer.value.milliseconds,
        });
      await changed();
    },
    stopWaiting({ id }) {
      begin(id).show({ kind: 'left', since: Date.now() });
    },
    dismiss: (id) => set(id, { error: null }),
    reset() {
      newest.clear();
      all.value = new Map();
    },
  };
}

/** A worker that stopped does not know what it had asked for: the log does. */
const ofRun = (error: ErrorValue): ErrorValue =>
  error.code.startsWith('WORKER_')
    ? {
        ...error,
        hint: 'The run may go on all the same: its record in the logs will tell. Look there before you run it again.',
      }
    : error;

/** Why an action cannot be run from here; null when it can. What runs is its working copy. */
export function cannotRunHere(action: Action): string | null {
  if (!action.active) return 'It is inactive: switch it on first.';
  if (action.environment === 'client')
    return 'It runs on the client alone: open it in Run, or run it from a page of the app.';
  return action.triggers.some(({ trigger }) => trigger === 'manual')
    ? null
    : 'It has no manual trigger: add one, or let what it listens to fire it.';
}
