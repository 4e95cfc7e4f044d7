/** Owns one action being created or changed: its draft, in a form and as JSON, what is wrong with it, and saving it. */
import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Action } from '../../../../platform-api/action.ts';
import type { NewAction } from '../../../../platform-api/action-input.ts';
import { type Result, toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { invalidMessage } from '../../../../platform-api/names.ts';
import type { Send } from '../../../messaging/protocol.ts';
import type { JsonError } from '../../run/payload/json-error.ts';
import { listActions } from '../../shell/list-actions.ts';
import type { RunStore } from '../../run/history/run-store.ts';
import { BLANK, changesOf, draftProblems, editableOf, type Problem, stepProblems } from './draft-action.ts';
import { jsonSentence, readDraft, SIZE_LIMIT, TEXT_LIMIT, writeDraft } from './draft-text.ts';
import { createKeptDrafts } from './saved-drafts.ts';
import { type Completions, NO_COMPLETIONS } from './completions.ts';
import { type Fields, isFields, same, valueAt, withValue } from './pointer.ts';

export interface EditorOptions {
  send: Send;
  store: Pick<RunStore, 'payloads' | 'savePayload' | 'removePayload'>;
  environmentId: string;
  appId: number;
  /** Null: a new one. */
  action: Action | null;
  onSaved: (action: Action) => void;
  completions?: Completions;
}

export interface ActionEditor {
  /** What the draft is compared with: the action as it was last read, null of a new one. */
  readonly base: ReadonlySignal<Action | null>;
  readonly completions: Completions;
  readonly text: ReadonlySignal<string>;
  /** The draft as data; null while its text is not JSON. */
  readonly draft: ReadonlySignal<{ value: unknown } | null>;
  readonly jsonError: ReadonlySignal<JsonError | null>;
  readonly view: Signal<'form' | 'json'>;
  /** What keeps it from being saved, what the platform refused of what still stands so, and what it is expected to refuse. */
  readonly problems: ReadonlySignal<readonly Problem[]>;
  readonly isChanged: ReadonlySignal<boolean>;
  /** Why it cannot be saved now; null when it can. */
  readonly cannotSave: ReadonlySignal<string | null>;
  readonly saving: ReadonlySignal<boolean>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  /** The action as somebody else changed it meanwhile. */
  readonly conflict: ReadonlySignal<Action | null>;
  /** When the draft was kept that is shown again, in epoch milliseconds. */
  readonly restoredAt: ReadonlySignal<number | null>;
  readonly saved: ReadonlySignal<boolean>;
  /** Counts the texts that were too long to be taken. */
  readonly rejectedTexts: ReadonlySignal<number>;
  /** The draft that was discarded last. */
  readonly discarded: ReadonlySignal<string | null>;
  setText(text: string): void;
  set(pointer: string, value: unknown): void;
  /** Another draft as a whole. */
  replace(value: unknown): void;
  save(): Promise<void>;
  /** The draft is theirs from now on; mine can be had back by `undo`. */
  acceptTheirs(): void;
  overwrite(): Promise<void>;
  /** Creates the draft as another action: the one that it was of is gone. */
  recreate(): Promise<void>;
  discard(): void;
  undo(): void;
  dismiss(): void;
  /** Resolves when the kept draft, if any, is shown. */
  ready: Promise<void>;
  dispose(): void;
}

export function createEditor({
  send,
  store,
  environmentId,
  appId,
  action,
  onSaved,
  completions = NO_COMPLETIONS,
}: EditorOptions): ActionEditor {
  const keptOf = (actionId: number | null) => createKeptDrafts(store, { environmentId, appId, actionId });
  let kept = keptOf(action?.id ?? null);
  const base = signal<Action | null>(action);
  /** What of `base` can be changed, and what a change of it is of. */
  const origin = signal<{ value: Fields; revision: number | undefined }>(originOf(action));
  const text = signal(writeDraft(origin.value.value));
  const draft = signal<{ value: unknown } | null>({ value: origin.value.value });
  const jsonError = signal<JsonError | null>(null);
  const view = signal<'form' | 'json'>('form');
  const refused = signal<{ value: unknown; problems: Problem[] } | null>(null);
  const saving = signal(false);
  const error = signal<ErrorValue | null>(null);
  const conflict = signal<Action | null>(null);
  const restored = signal<number | null>(null);
  const saved = signal(false);
  const discarded = signal<string | null>(null);
  const refusals = signal(0);
  let touched = false;

  const steps = computed(() => stepProblems(draft.value?.value, completions.packages.value));
  const own = computed(() => {
    const length = draft.value ? JSON.stringify(draft.value.value).length : 0;
    if (length > SIZE_LIMIT) return [{ path: '', message: tooLarge(length, SIZE_LIMIT) }];
    return draft.value ? [...draftProblems(draft.value.value), ...steps.value.wrong] : [];
  });
  const isChanged = computed(() => (draft.value ? !same(draft.value.value, origin.value.value) : true));
  const problems = computed(() => {
    // Nobody is told off before they begin.
    if (base.value === null && !isChanged.value) return [];
    if (jsonError.value) return [{ path: '', message: jsonSentence(jsonError.value) }];
    const mine = [...own.value, ...steps.value.unlisted];
    const places = new Set(mine.map(({ path }) => path));
    const { value, problems: theirs } = refused.value ?? { value: null, problems: [] };
    // What the platform refused holds until that place is changed.
    return [
      ...mine,
      ...theirs.filter(
        ({ path }) => !places.has(path) && same(valueAt(value, path), valueAt(draft.value?.value, path)),
      ),
    ];
  });
  const cannotSave = computed(() => {
    if (saving.value) return 'It is being saved.';
    const [first] = jsonError.value ? problems.value : own.value;
    if (first) return invalidMessage(first.message);
    return base.value && !isChanged.value ? 'Nothing is changed.' : null;
  });
  const note = (thrown: unknown): void => {
    error.value = { ...toErrorValue(thrown), code: 'DRAFT_NOT_KEPT' };
  };
  const stopKeeping = effect(() => {
    const kind = isChanged.value
      ? { text: text.value, base: origin.value.value, revision: origin.value.revision ?? null }
      : null;
    if (touched) kept.write(kind).catch(note);
  });

  function show(next: string, value: { value: unknown } | null, problem: JsonError | null): void {
    touched = true;
    batch(() => {
      text.value = next;
      draft.value = value;
      jsonError.value = problem;
      saved.value = false;
    });
  }
  function setText(next: string): void {
    if (next === text.peek()) return;
    if (next.length > TEXT_LIMIT) {
      refusals.value++;
      error.value = {
        code: 'ACTION_TOO_LARGE',
        message: tooLarge(next.length, TEXT_LIMIT),
        hint: 'Nothing was changed. Let a function read large data from a data source instead.',
      };
      return;
    }
    const read = readDraft(next);
    show(next, read.ok ? { value: read.value } : null, read.ok ? null : read.error);
  }
  function replace(value: unknown): void {
    const next = writeDraft(value);
    if (next.length > TEXT_LIMIT) setText(next);
    else show(next, { value }, null);
  }
  function rebase(next: Action | null): void {
    base.value = next;
    origin.value = originOf(next);
  }

  /** The answer of the platform to a draft, which may have been changed since. */
  async function settle(answer: Result<Action>, sent: unknown): Promise<void> {
    if (answer.ok) {
      // A new one has a place of its own from now on.
      if (base.peek() === null) {
        kept.write(null).catch(note);
        kept = keptOf(answer.value.id);
      }
      batch(() => {
        const isSame = draft.peek()?.value === sent;
        rebase(answer.value);
        refused.value = null;
        conflict.value = null;
        restored.value = null;
        discarded.value = null;
        if (isSame) show(writeDraft(origin.value.value), { value: origin.value.value }, null);
        saved.value = isSame;
      });
      // It took a package that was not listed: there is a newer list.
      if (steps.peek().unlisted.length > 0) void completions.load();
      onSaved(answer.value);
      return;
    }
    const { error: refusal } = answer;
    const code = refusal.said?.code ?? refusal.code;
    if (code === 'CONFLICT' && base.peek()) return readTheirs(refusal);
    batch(() => {
      error.value = refusal;
      if (code === 'NAME_TAKEN')
        refused.value = {
          value: sent,
          problems: [{ path: '/name', message: refusal.said?.message ?? refusal.message }],
        };
      else if (refusal.details) refused.value = { value: sent, problems: refusal.details };
    });
  }

  async function readTheirs(refusal: ErrorValue): Promise<void> {
    const list = await listActions(send, { environmentId, appId });
    const theirs = list.ok ? list.value.find(({ id }) => id === base.peek()?.id) : undefined;
    batch(() => {
      conflict.value = theirs ?? null;
      error.value = theirs
        ? null
        : list.ok
          ? {
              code: 'NOT_FOUND',
              status: 404,
              message: 'The action is no longer there: somebody removed it meanwhile.',
              hint: 'The draft stays; create the action anew to have it again.',
            }
          : { ...refusal, hint: list.error.message };
    });
  }

  async function save(): Promise<void> {
    if (cannotSave.peek() !== null || !draft.peek()) return;
    const sent = draft.peek()?.value as Fields;
    saving.value = true;
    error.value = null;
    const { revision } = origin.peek();
    const id = base.peek()?.id;
    const answer =
      id === undefined
        ? await send('actions.create', { environmentId, appId, action: sent as NewAction })
        : await send('actions.update', {
            environmentId,
            appId,
            actionId: id,
            change: { ...changesOf(origin.peek().value, sent), ...(revision !== undefined && { revision }) },
          });
    saving.value = false;
    await settle(answer, sent);
  }

  function putAway(next: string): void {
    discarded.value = next;
    restored.value = null;
    refused.value = null;
    error.value = null;
  }

  async function restore(): Promise<void> {
    const found = await kept.read();
    if (!found || touched) return;
    const { revision } = origin.peek();
    const isOlder = action !== null && found.revision !== null && revision !== undefined && found.revision !== revision;
    batch(() => {
      if (action) origin.value = { value: found.base, revision: found.revision ?? undefined };
      setText(found.text);
      restored.value = found.savedAt;
      if (isOlder) conflict.value = action;
    });
  }

  return {
    base,
    completions,
    text,
    draft,
    jsonError,
    view,
    problems,
    isChanged,
    cannotSave,
    saving,
    error,
    conflict,
    restoredAt: restored,
    saved,
    rejectedTexts: refusals,
    discarded,
    setText,
    replace,
    save,
    set: (pointer, value) =>
      replace(withValue(isFields(draft.peek()?.value) ? draft.peek()?.value : {}, pointer, value)),
    acceptTheirs: () =>
      batch(() => {
        const theirs = conflict.peek();
        if (!theirs) return;
        putAway(text.peek());
        rebase(theirs);
        conflict.value = null;
        show(writeDraft(origin.peek().value), { value: origin.peek().value }, null);
      }),
    async overwrite() {
      const theirs = conflict.peek();
      if (!theirs) return;
      batch(() => {
        rebase(theirs);
        conflict.value = null;
      });
      await save();
    },
    async recreate() {
      kept.write(null).catch(note);
      kept = keptOf(null);
      rebase(null);
      await save();
    },
    discard: () =>
      batch(() => {
        putAway(text.peek());
        if (base.peek()) rebase(conflict.peek() ?? base.peek());
        conflict.value = null;
        show(writeDraft(origin.peek().value), { value: origin.peek().value }, null);
      }),
    undo() {
      const before = discarded.peek();
      discarded.value = null;
      if (before !== null) setText(before);
    },
    dismiss: () => {
      error.value = null;
    },
    ready: restore().catch(note),
    dispose: stopKeeping,
  };
}

const tooLarge = (length: number, most: number): string =>
  `An action has at most ${most.toLocaleString('en')} characters as JSON; this has ${length.toLocaleString('en')}.`;

function originOf(action: Action | null): { value: Fields; revision: number | undefined } {
  return { value: action ? editableOf(action) : BLANK, revision: action?.revision };
}
