/** The trigger lab: composes a log record or an event, shows which actions it would trigger, and fires it. */
import { batch, computed, signal, type ReadonlySignal } from '@preact/signals';
import * as v from 'valibot';
import type { Action } from '../../../../platform-api/action.ts';
import { AnalyticsEvent } from '../../../../platform-api/actions/analytics.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import { type ErrorValue, issueDetails, type Result } from '../../../../platform-api/errors.ts';
import { type LogRecord, NewLog } from '../../../../platform-api/log.ts';
import { formatCount } from '../../../../shared/format.ts';
import type { FiredActions } from '../../../inspector/contract.ts';
import type { ActionsBackend } from '../backend/types.ts';
import { fireQuestion, type GuardQuestion } from '../../shared/guard-questions.ts';
import { allowCurrent, type Guard } from '../../shared/production-guard.ts';
import { newEntryRecord, unknownDataSource } from '../data-sources.ts';
import { parsedDraft, type Problem } from '../edit/draft-action.ts';
import { type DraftError, readDraft, TEXT_LIMIT, writeDraft } from '../edit/draft-text.ts';
import { type Fields, isFields, withValue } from '../edit/draft-value.ts';
import { listLogs } from '../list-logs.ts';
import { FIRST_EVENT } from './examples.ts';
import { type Happening, matchActions } from './matching.ts';
import { RunWatch, type WatchTimes } from './watch-runs.ts';

export type PageMode = 'preview' | 'live';

export interface LabOptions {
  backend: () => ActionsBackend;
  guard: Guard;
  /** Sends an event from the inspected page. */
  track(method: 'pageView' | 'event', data: Fields): Promise<Result<FiredActions | null>>;
  organizationId: number | null;
  actions: ReadonlySignal<readonly Action[]>;
  /** Which page of the app is open in the tab; null if none. */
  mode: ReadonlySignal<PageMode | null>;
  times?: WatchTimes;
}

type Kind = 'log' | 'analytics';

/** The fired record or event, and its effects. */
export type Fired =
  | { kind: 'log'; record: LogRecord; runs: RunWatch }
  | { kind: 'analytics'; event: Fields; state: 'waiting' | 'sent'; fired: FiredActions | null; mode: PageMode };

interface Draft {
  text: string;
  value: { value: unknown } | null;
  error: DraftError | null;
}
const draftOf = (value: unknown): Draft => ({ text: writeDraft(value), value: { value }, error: null });

export class TriggerLab {
  readonly kind = signal<Kind>('log');
  readonly view = signal<'form' | 'json'>('form');
  /** Which page to match events against while none of the app's pages is open in the tab. */
  readonly previewMode = signal<PageMode>('preview');
  /** Null until loaded. */
  readonly dataSources = signal<readonly DataSource[] | null>(null);
  readonly firing = signal(false);
  readonly fired = signal<Fired | null>(null);
  /** How many times text was rejected because it was too long. */
  readonly rejectedTexts = signal(0);
  readonly actions: LabOptions['actions'];
  readonly mode: LabOptions['mode'];

  readonly #options: LabOptions;
  readonly #drafts = { log: signal(draftOf(newEntryRecord([]))), analytics: signal(draftOf(FIRST_EVENT)) };
  #initialLog = this.#drafts.log.peek();
  readonly #failed = signal<{ kind: Kind; error: ErrorValue } | null>(null);
  readonly #current = computed(() => this.#drafts[this.kind.value].value);

  readonly text = computed(() => this.#current.value.text);
  readonly draft = computed(() => this.#current.value.value);
  readonly jsonError = computed(() => this.#current.value.error);
  /** The error for the kind being composed. */
  readonly error = computed(() => (this.#failed.value?.kind === this.kind.value ? this.#failed.value.error : null));
  readonly problems = computed(() => {
    const { error, value } = this.#current.value;
    return error ? [{ path: '', message: error.message }] : draftProblems(this.kind.value, value?.value);
  });
  /**
   * A warning that the record names an unknown data source. The record can still be fired, because the list might be
   * outdated.
   */
  readonly sourceProblem = computed(() => {
    if (this.kind.value !== 'log') return null;
    const problem = unknownDataSource(this.#current.value.value?.value, this.dataSources.value);
    return problem === null ? null : `${problem}, so the platform may reject this record.`;
  });
  readonly matches = computed(() => matchActions(this.actions.value, this.#happening.value));
  /** Why log records can't be fired at all; null if they can. */
  readonly cannotAddLogs = computed(() => this.#options.backend().cannot.logRecords);
  /** Why the record or event can't be fired now; null if it can. */
  readonly cannotFire = computed(() => {
    if (this.firing.value) return 'Wait for the current trigger to finish';
    const reason = this.cannotAddLogs.value;
    if (reason !== null && this.kind.value === 'log') return reason;
    if (this.problems.value[0]) return this.problems.value[0].message;
    return this.kind.value === 'analytics' && this.mode.value === null
      ? 'Open the app’s preview page or live page in this tab'
      : null;
  });
  readonly #happening = computed((): Happening => {
    const value = this.#current.value.value?.value;
    const fields = isFields(value) ? value : {};
    if (this.kind.value === 'analytics')
      return { trigger: 'analytics', record: fields, mode: this.mode.value ?? this.previewMode.value };
    const { backend, organizationId } = this.#options;
    const { appId } = backend().of;
    return { trigger: 'log', record: { ...fields, data: fields['data'] ?? {}, appId, organizationId } };
  });

  constructor(options: LabOptions) {
    this.#options = options;
    this.actions = options.actions;
    this.mode = options.mode;
  }

  /** Switches between records and events. */
  show(kind: Kind): void {
    batch(() => {
      if (kind !== this.kind.peek()) this.#failed.value = null;
      this.kind.value = kind;
    });
  }

  setText = (text: string): void => {
    const kind = this.kind.peek();
    if (text.length > TEXT_LIMIT) {
      this.rejectedTexts.value++;
      this.#fail(kind, {
        code: 'RECORD_TOO_LARGE',
        message:
          `Text is limited to ${formatCount(TEXT_LIMIT)} characters. This text has ${formatCount(text.length)}. ` +
          'Nothing was changed.',
        hint: 'Try again with less data.',
      });
      return;
    }
    const read = readDraft(text);
    this.#drafts[kind].value = read.ok
      ? { text, value: { value: read.value }, error: null }
      : { text, value: null, error: read.error };
  };

  set = (pointer: string, value: unknown): void => {
    const draft = this.#current.peek().value?.value;
    this.replace(withValue(isFields(draft) ? draft : {}, pointer, value));
  };

  replace(value: unknown): void {
    this.#drafts[this.kind.peek()].value = draftOf(value);
  }

  async fire(): Promise<void> {
    if (this.cannotFire.peek() !== null) return;
    const { guard, backend } = this.#options;
    const { environmentId } = backend().of;
    await allowCurrent(
      guard,
      environmentId,
      () => this.#question(),
      () => this.#fire(),
    );
  }

  #question(): GuardQuestion {
    const draft = this.#current.peek().value?.value;
    const actions = this.matches.peek().flatMap(({ name, fires }) => (fires ? [name] : []));
    return fireQuestion(this.kind.peek(), isFields(draft) ? draft['type'] : undefined, actions);
  }

  async #fire(): Promise<void> {
    if (this.cannotFire.peek() !== null) return;
    this.dispose();
    const value = this.#current.peek().value?.value as Fields;
    batch(() => {
      this.firing.value = true;
      this.#failed.value = null;
      this.fired.value = null;
    });
    await (this.kind.peek() === 'log' ? this.#fireLog(value) : this.#fireEvent(value));
    this.firing.value = false;
  }

  report(error: ErrorValue): void {
    this.#fail(this.kind.peek(), error);
  }

  dismiss = (): void => {
    this.#failed.value = null;
  };

  /** Loads the data sources from which the examples are built. */
  async load(): Promise<void> {
    const backend = this.#options.backend();
    if (backend.cannot.dataSources !== null) return;
    const response = await backend.dataSources();
    if (!response.ok) return this.#fail('log', response.error);
    this.dataSources.value = response.value;
    // Don't replace a draft that the user has edited in the meantime.
    if (this.#drafts.log.peek() === this.#initialLog)
      this.#drafts.log.value = this.#initialLog = draftOf(newEntryRecord(response.value));
  }

  /** Stops polling for runs. */
  dispose(): void {
    const last = this.fired.peek();
    if (last?.kind === 'log') last.runs.stop();
  }

  #fail(kind: Kind, error: ErrorValue): void {
    this.#failed.value = { kind, error };
  }

  async #fireLog(log: Fields): Promise<void> {
    const { backend, times } = this.#options;
    const matches = this.matches.peek();
    const listeners = new Set(matches.map(({ id }) => id));
    const expected = new Set(matches.filter(({ fires }) => fires).map(({ id }) => id));
    const response = await backend().addLog(log as NewLog);
    if (!response.ok) return this.#fail('log', response.error);
    const record = response.value;
    const list = async (limit: number) => (await listLogs(backend(), { query: {}, maxLimit: limit })).response;
    const runs = new RunWatch({ list, record, listeners, expected, ...(times && { times }) });
    this.fired.value = { kind: 'log', record, runs };
  }

  async #fireEvent(event: Fields): Promise<void> {
    const mode = this.mode.peek();
    if (mode === null) return;
    const sent: Fired = { kind: 'analytics', event, state: 'waiting', fired: null, mode };
    this.fired.value = sent;
    const method = event['type'] === 'analytics.pageView' ? 'pageView' : 'event';
    const response = await this.#options.track(method, (event['data'] ?? {}) as Fields);
    batch(() => {
      this.fired.value = response.ok ? { ...sent, state: 'sent', fired: response.value } : null;
      if (!response.ok) this.#fail('analytics', response.error);
    });
  }
}

/** Validation problems, using the platform's messages. */
export function draftProblems(kind: Kind, draft: unknown): Problem[] {
  const { unparsed, parsed } = parsedDraft(draft);
  if (!isFields(parsed))
    return [{ path: '', message: `${kind === 'log' ? 'A log record' : 'An event'} must be an object.` }];
  const result = v.safeParse(kind === 'log' ? NewLog : AnalyticsEvent, parsed, { abortPipeEarly: true });
  return [...unparsed, ...(result.success ? [] : issueDetails(result.issues))];
}
