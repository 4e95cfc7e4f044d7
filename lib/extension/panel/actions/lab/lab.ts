/** Owns the trigger lab: what is composed, which actions it would fire, firing it, and what was seen of that. */
import { batch, computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import * as v from 'valibot';
import type { Action } from '../../../../platform-api/action.ts';
import { AnalyticsEvent } from '../../../../platform-api/analytics.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import { type ErrorValue, issueDetails, type Result } from '../../../../platform-api/errors.ts';
import { type LogRecord, NewLog } from '../../../../platform-api/log.ts';
import type { FiredAction } from '../../../inspector/contract.ts';
import type { Send } from '../../../messaging/protocol.ts';
import type { JsonError } from '../../run/payload/json-error.ts';
import { jsonSentence, readDraft, TEXT_LIMIT, unparsedProblems, writeDraft } from '../edit/draft-text.ts';
import type { Problem } from '../edit/draft-action.ts';
import { type Fields, isFields, without, withValue } from '../edit/pointer.ts';
import { listLogs } from '../list-logs.ts';
import { newEntryIn, unknownSource } from '../data-sources.ts';
import { FIRST_EVENT } from './examples.ts';
import { type ActionMatch, type Happening, matchActions } from './matching.ts';
import { watchRuns, type WatchedRuns } from './watch-runs.ts';

export interface LabOptions {
  send: Send;
  /** Has the inspected page tell an event. */
  track(method: 'pageView' | 'event', data: Fields): Promise<Result<FiredAction[] | null>>;
  environmentId: string;
  appId: number;
  organizationId: number | null;
  actions: ReadonlySignal<readonly Action[]>;
  /** Which page of the app the tab shows; null when it shows none. */
  mode: ReadonlySignal<'preview' | 'live' | null>;
  /** Milliseconds between two looks at the logs, and until it is said that nothing came. */
  times?: { look: number; quiet: number; most: number };
}

type Kind = 'log' | 'analytics';

/** What became of what was fired. */
export type Fired =
  | { kind: 'log'; record: LogRecord; runs: WatchedRuns }
  | {
      kind: 'analytics';
      event: Fields;
      state: 'waiting' | 'told';
      actions: FiredAction[] | null;
      mode: 'preview' | 'live';
    };

export interface Lab {
  readonly actions: ReadonlySignal<readonly Action[]>;
  readonly mode: ReadonlySignal<'preview' | 'live' | null>;
  readonly kind: ReadonlySignal<Kind>;
  readonly view: Signal<'form' | 'json'>;
  /** Which copy of the actions events are matched with, as long as the tab shows no page of the app. */
  readonly previewMode: Signal<'preview' | 'live'>;
  readonly text: ReadonlySignal<string>;
  readonly draft: ReadonlySignal<{ value: unknown } | null>;
  readonly jsonError: ReadonlySignal<JsonError | null>;
  readonly problems: ReadonlySignal<readonly Problem[]>;
  readonly matches: ReadonlySignal<readonly ActionMatch[]>;
  /** Null while they are not known. */
  readonly dataSources: ReadonlySignal<readonly DataSource[] | null>;
  /** That the record names a data source that the app has not; it can be fired all the same, as the list may be older. */
  readonly sourceProblem: ReadonlySignal<string | null>;
  readonly cannotFire: ReadonlySignal<string | null>;
  readonly firing: ReadonlySignal<boolean>;
  readonly fired: ReadonlySignal<Fired | null>;
  /** Of the kind that is shown. */
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** Counts the texts that were too long to be taken. */
  readonly rejectedTexts: ReadonlySignal<number>;
  /** Composes a record or an event; what was said of the other is over. */
  show(kind: Kind): void;
  setText(text: string): void;
  set(pointer: string, value: unknown): void;
  replace(value: unknown): void;
  fire(): Promise<void>;
  /** Shows an error that opening a page had. */
  report(error: ErrorValue): void;
  dismiss(): void;
  /** Reads what examples are made of. */
  start(): Promise<void>;
  /** No longer looks for runs. */
  stop(): void;
}

interface Draft {
  text: string;
  value: { value: unknown } | null;
  error: JsonError | null;
}
const draftOf = (value: unknown): Draft => ({ text: writeDraft(value), value: { value }, error: null });

export function createLab({
  send,
  track,
  environmentId,
  appId,
  organizationId,
  actions,
  mode,
  times,
}: LabOptions): Lab {
  const kind = signal<Kind>('log');
  const view = signal<'form' | 'json'>('form');
  const wantedMode = signal<'preview' | 'live'>('preview');
  const dataSources = signal<readonly DataSource[] | null>(null);
  const drafts = { log: signal(draftOf(newEntryIn([]))), analytics: signal(draftOf(FIRST_EVENT)) };
  let firstLog = drafts.log.peek();
  const firing = signal(false);
  const fired = signal<Fired | null>(null);
  const failed = signal<{ kind: Kind; error: ErrorValue } | null>(null);
  const fail = (kind: Kind, error: ErrorValue): void => void (failed.value = { kind, error });
  const refusals = signal(0);
  const current = computed(() => drafts[kind.value].value);
  const problems = computed(() =>
    current.value.error
      ? [{ path: '', message: jsonSentence(current.value.error) }]
      : draftProblems(kind.value, current.value.value?.value),
  );
  const happening = computed<Happening>(() => {
    const value = current.value.value?.value;
    const given = isFields(value) ? value : {};
    if (kind.value === 'analytics')
      return { trigger: 'analytics', record: given, mode: mode.value ?? wantedMode.value };
    return { trigger: 'log', record: { ...given, data: given['data'] ?? {}, appId, organizationId } };
  });
  const matches = computed(() => matchActions(actions.value, happening.value));
  const cannotFire = computed(() => {
    if (firing.value) return 'It is being fired.';
    if (problems.value[0]) return problems.value[0].message;
    return kind.value === 'analytics' && mode.value === null
      ? 'The tab shows no page of this app: open its preview or its live page.'
      : null;
  });
  function stop(): void {
    const last = fired.peek();
    if (last?.kind === 'log') last.runs.stop();
  }
  function setText(text: string): void {
    if (text.length > TEXT_LIMIT) {
      refusals.value++;
      return fail(kind.peek(), {
        code: 'RECORD_TOO_LARGE',
        message: `It has ${text.length.toLocaleString('en')} characters; at most ${TEXT_LIMIT.toLocaleString('en')} are taken.`,
        hint: 'Nothing was changed. Shorten its data.',
      });
    }
    const read = readDraft(text);
    drafts[kind.peek()].value = read.ok
      ? { text, value: { value: read.value }, error: null }
      : { text, value: null, error: read.error };
  }
  function replace(value: unknown): void {
    drafts[kind.peek()].value = draftOf(value);
  }

  async function fireLog(log: Fields): Promise<void> {
    const listeners = new Set(matches.peek().map(({ id }) => id));
    const expected = new Set(
      matches
        .peek()
        .filter(({ fires }) => fires)
        .map(({ id }) => id),
    );
    const answer = await send('logs.create', { environmentId, appId, log: log as never });
    if (!answer.ok) return fail('log', answer.error);
    const list = async (limit: number) => (await listLogs(send, { environmentId, appId }, {}, limit)).answer;
    fired.value = {
      kind: 'log',
      record: answer.value,
      runs: watchRuns({ list, record: answer.value, listeners, expected, ...(times && { times }) }),
    };
  }

  async function fireEvent(event: Fields): Promise<void> {
    const where = mode.peek();
    if (where === null) return;
    const told: Fired = { kind: 'analytics', event, state: 'waiting', actions: null, mode: where };
    fired.value = told;
    const answer = await track(
      event['type'] === 'analytics.pageView' ? 'pageView' : 'event',
      (event['data'] ?? {}) as Fields,
    );
    batch(() => {
      fired.value = answer.ok ? { ...told, state: 'told', actions: answer.value } : null;
      if (!answer.ok) fail('analytics', answer.error);
    });
  }

  return {
    actions,
    mode,
    kind,
    view,
    previewMode: wantedMode,
    problems,
    matches,
    dataSources,
    cannotFire,
    firing,
    fired,
    rejectedTexts: refusals,
    setText,
    replace,
    error: computed(() => (failed.value?.kind === kind.value ? failed.value.error : null)),
    sourceProblem: computed(() => {
      const problem = kind.value === 'log' ? unknownSource(current.value.value?.value, dataSources.value) : null;
      return problem === null ? null : `${problem}: the platform refuses such a record.`;
    }),
    show: (next) =>
      batch(() => {
        if (next !== kind.peek()) failed.value = null;
        kind.value = next;
      }),
    text: computed(() => current.value.text),
    draft: computed(() => current.value.value),
    jsonError: computed(() => current.value.error),
    set: (pointer, value) =>
      replace(withValue(isFields(current.peek().value?.value) ? current.peek().value?.value : {}, pointer, value)),
    async fire() {
      if (cannotFire.peek() !== null) return;
      stop();
      const value = current.peek().value?.value as Fields;
      batch(() => {
        firing.value = true;
        failed.value = null;
        fired.value = null;
      });
      await (kind.peek() === 'log' ? fireLog(value) : fireEvent(value));
      firing.value = false;
    },
    report: (problem) => fail(kind.peek(), problem),
    dismiss() {
      failed.value = null;
    },
    async start() {
      const answer = await send('dataSources.list', { environmentId, appId });
      if (!answer.ok) return fail('log', answer.error);
      dataSources.value = answer.value;
      // A person may have begun to write meanwhile.
      if (drafts.log.peek() === firstLog) drafts.log.value = firstLog = draftOf(newEntryIn(answer.value));
    },
    stop,
  };
}

/** In the sentences of the platform. */
export function draftProblems(kind: 'log' | 'analytics', draft: unknown): Problem[] {
  const unparsed = unparsedProblems(draft);
  const sound = unparsed.reduceRight((value: unknown, { path }) => without(value, path), draft);
  if (!isFields(sound))
    return [{ path: '', message: kind === 'log' ? 'A log record must be an object.' : 'An event must be an object.' }];
  const parsed = v.safeParse(kind === 'log' ? NewLog : AnalyticsEvent, sound, { abortPipeEarly: true });
  return [...unparsed, ...(parsed.success ? [] : issueDetails(parsed.issues))];
}
