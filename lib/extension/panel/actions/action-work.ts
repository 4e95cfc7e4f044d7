/** Publishes, removes, and runs actions. Runs one operation at a time per action, and keeps its outcome. */
import { signal } from '@preact/signals';
import type { Mock } from '../../../debugging/mocks/types.ts';
import type { Action } from '../../../platform-api/action.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { LogRecord } from '../../../platform-api/log.ts';
import type { RemoteValue } from '../../inspector/contract.ts';
import {
  type GuardQuestion,
  publishFailingQuestion,
  publishQuestion,
  removeQuestion,
  restoreQuestion,
  platformRunQuestion,
  unpublishQuestion,
} from '../shared/guard-questions.ts';
import type { Guard } from '../shared/production-guard.ts';
import type { ActionsBackend, Payload, QueuedRun, ShownAction } from './backend/types.ts';
import type { OfApp } from '../../messaging/protocol.ts';
import { describeJson } from './described.ts';
import { editableFields } from './edit/draft-action.ts';

export type WorkKind = 'publish' | 'unpublish' | 'restore' | 'remove' | 'run' | 'result';

/** `detached`: the panel no longer waits for the result. `mocks`: how many were on. */
export type RunOutcome =
  | {
      kind: 'queued';
      runId: string | null;
      mocks: number;
      record: LogRecord | null;
      error: ErrorValue | null;
    }
  | { kind: 'waiting'; /** In epoch milliseconds. */ since: number }
  | { kind: 'detached' }
  | { kind: 'result'; result: RemoteValue; json: string; milliseconds: number; mocks: number }
  | { kind: 'failed'; error: ErrorValue };

export interface Work {
  readonly busy: WorkKind | null;
  readonly error: ErrorValue | null;
  readonly run: RunOutcome | null;
}

interface RunHandle {
  isLatest(): boolean;
  show(outcome: RunOutcome): void;
}

const NOTHING: Work = { busy: null, error: null, run: null };
/** How often to poll the log for a run's record, in milliseconds. */
const POLL_INTERVAL = 1_000;
/** When to stop polling, in milliseconds. Runs can wait in the queue, and then take 120 seconds. */
const POLL_LIMIT = 180_000;
const RECORD_MISSING: ErrorValue = {
  code: 'RECORD_MISSING',
  message: 'The run has no log record yet: it may still be queued, or no worker is running.',
  hint: 'Check the logs later.',
};

export class ActionWork {
  readonly #all = signal<ReadonlyMap<number, Work>>(new Map());
  /** Identifies each action's latest run. Outcomes of earlier runs are ignored. */
  readonly #latestRuns = new Map<number, symbol>();
  readonly #backend: () => ActionsBackend | null;
  readonly #guard: Guard;
  readonly #onChanged: () => Promise<void>;
  readonly #pollInterval: number;

  constructor(
    backend: () => ActionsBackend | null,
    guard: Guard,
    onChanged: () => Promise<void>,
    pollInterval = POLL_INTERVAL,
  ) {
    this.#backend = backend;
    this.#guard = guard;
    this.#onChanged = onChanged;
    this.#pollInterval = pollInterval;
  }

  of(actionId: number): Work {
    return this.#all.value.get(actionId) ?? NOTHING;
  }

  /**
   * Resolves to true on success.
   * @param fails whether a step lacks required settings, which asks first on every environment
   */
  async publish(action: Action, publish: boolean, fails = false): Promise<boolean> {
    const published = fails ? publishFailingQuestion(action) : publishQuestion(action);
    const question = publish ? published : unpublishQuestion(action);
    const change = (): Promise<boolean> =>
      this.#change(action.id, publish ? 'publish' : 'unpublish', (backend) =>
        backend.publish(shownAction(action), publish),
      );
    return (await this.#allow(question, change)) ?? false;
  }

  /** Resolves to true on success. */
  async remove(action: Action): Promise<boolean> {
    const remove = (): Promise<boolean> =>
      this.#change(action.id, 'remove', (backend) => backend.remove(shownAction(action)));
    return (await this.#allow(removeQuestion(action), remove)) ?? false;
  }

  /** Makes a stored revision the working copy again. Resolves to true on success. */
  async restore(action: Action, revision: number): Promise<boolean> {
    const restore = (): Promise<boolean> =>
      this.#change(action.id, 'restore', (backend) => backend.restore(shownAction(action), revision));
    return (await this.#allow(restoreQuestion(action, revision), restore)) ?? false;
  }

  /** Queues a run, then polls for its log record. */
  async run(action: Action, payload: Payload, mocks: readonly Mock[] = []): Promise<void> {
    const question = platformRunQuestion(action, mocks);
    await this.#allow(question, () => this.#run(action, payload, mocks));
  }

  async #run(action: Action, payload: Payload, mocks: readonly Mock[]): Promise<void> {
    const { id } = action;
    const run = this.#startRun(id);
    this.#set(id, { run: null });
    const response = await this.#attempt(id, 'run', (backend) => backend.run(action, payload, mocks));
    if (!response?.ok) return;
    const { runId } = response.value;
    const outcome = { kind: 'queued', runId, mocks: mocks.length, record: null, error: null } as const;
    run.show(outcome);
    await this.#pollRecord(response.value, outcome, run);
  }

  /** Runs an action and waits for its result. */
  async runWithResult(action: Action, payload: Payload, mocks: readonly Mock[] = []): Promise<void> {
    const question = platformRunQuestion(action, mocks);
    await this.#allow(question, () => this.#runWithResult(action, payload, mocks));
  }

  async #runWithResult(action: Action, payload: Payload, mocks: readonly Mock[]): Promise<void> {
    const { id } = action;
    const backend = this.#backend();
    if (!backend || this.#all.peek().get(id)?.busy) return;
    const run = this.#startRun(id);
    this.#set(id, { error: null });
    run.show({ kind: 'waiting', since: Date.now() });
    const response = await backend.runWithResult(action, payload, mocks);
    if (!run.isLatest()) return;
    if (response.ok) {
      const { result, milliseconds } = response.value;
      const json = JSON.stringify(result ?? null);
      run.show({ kind: 'result', result: describeJson(result), json, milliseconds, mocks: mocks.length });
    } else run.show({ kind: 'failed', error: runError(response.error) });
    await this.#onChanged();
  }

  /** Stops waiting for the result. A run that has started continues. */
  stopWaiting({ id }: Action): void {
    this.#startRun(id).show({ kind: 'detached' });
  }

  dismiss(actionId: number): void {
    this.#set(actionId, { error: null });
  }

  reset(): void {
    this.#latestRuns.clear();
    this.#all.value = new Map();
  }

  /** Resolves to null if the user doesn't allow it, or has selected another app in the meantime. */
  async #allow<T>(question: GuardQuestion, work: () => Promise<T>): Promise<T | null> {
    const of = this.#backend()?.of;
    if (!of) return null;
    return this.#guard.allow(of.environmentId, question, async () => (this.#isSelected(of) ? work() : null));
  }

  #isSelected({ environmentId, appId }: OfApp): boolean {
    const of = this.#backend()?.of;
    return of?.appId === appId && of.environmentId === environmentId;
  }

  #set(id: number, change: Partial<Work>): void {
    const all = this.#all.peek();
    this.#all.value = new Map(all).set(id, { ...NOTHING, ...all.get(id), ...change });
  }

  /** Resolves to null if another operation on the action is in progress. */
  async #attempt<T>(
    id: number,
    kind: WorkKind,
    request: (backend: ActionsBackend) => Promise<Result<T>>,
  ): Promise<Result<T> | null> {
    const backend = this.#backend();
    if (!backend || this.#all.peek().get(id)?.busy) return null;
    this.#set(id, { busy: kind, error: null });
    const response = await request(backend);
    // The user might have selected another app in the meantime.
    if (!this.#isSelected(backend.of)) return response;
    this.#set(id, {
      busy: null,
      error: response.ok ? null : kind === 'run' ? runError(response.error) : response.error,
    });
    return response;
  }

  async #change<T>(
    id: number,
    kind: WorkKind,
    request: (backend: ActionsBackend) => Promise<Result<T>>,
  ): Promise<boolean> {
    const response = await this.#attempt(id, kind, request);
    // Refreshes even after a rejection, because someone else might have changed or removed the action.
    if (response) await this.#onChanged();
    return response?.ok ?? false;
  }

  #startRun(id: number): RunHandle {
    const run = Symbol();
    this.#latestRuns.set(id, run);
    const isLatest = (): boolean => this.#latestRuns.get(id) === run;
    return { isLatest, show: (outcome) => void (isLatest() && this.#set(id, { run: outcome })) };
  }

  async #pollRecord(
    run: QueuedRun,
    queued: Extract<RunOutcome, { kind: 'queued' }>,
    { isLatest, show }: RunHandle,
  ): Promise<void> {
    let lastError: ErrorValue | null = null;
    const end = performance.now() + POLL_LIMIT;
    while (isLatest() && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, this.#pollInterval));
      const backend = this.#backend();
      if (!isLatest() || !backend) return;
      const response = await run.record(backend);
      const record = response.ok ? response.value : null;
      lastError = response.ok ? null : response.error;
      show({ ...queued, record, error: lastError });
      if (record) return this.#onChanged();
    }
    show({ ...queued, error: lastError ?? RECORD_MISSING });
  }
}

const shownAction = (action: Action): ShownAction => ({
  id: action.id,
  fields: editableFields(action),
  revision: action.revision,
});

/** A restarted background worker has forgotten its requests, but the log records every run. */
const runError = (error: ErrorValue): ErrorValue =>
  error.code.startsWith('WORKER_')
    ? { ...error, hint: 'Check the logs before you run the action again: the run may have continued.' }
    : error;

/** Why an action's working copy can't run on the platform; null if it can. */
export function cannotRunHere(action: Action): string | null {
  if (!action.active) return 'Activate the action to run it';
  if (action.environment === 'client') return 'Open it in Run: this action runs on the client only';
  return action.triggers.some(({ trigger }) => trigger === 'manual')
    ? null
    : 'Add a manual trigger to run it from here';
}
