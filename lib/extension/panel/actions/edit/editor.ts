/** Creates or edits an action: its draft as a form and as JSON, its problems, and saving. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { Action } from '../../../../platform-api/action.ts';
import type { NewAction } from '../../../../platform-api/actions/input.ts';
import { type Result, toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { invalidMessage } from '../../../../platform-api/actions/names.ts';
import { formatCount } from '../../../../shared/format.ts';
import type { RunStore } from '../../run/history/run-store.ts';
import { createQuestion, type GuardQuestion, overwriteQuestion, saveQuestion } from '../../shared/guard-questions.ts';
import { allowCurrent, type Guard } from '../../shared/production-guard.ts';
import type { ActionsBackend } from '../backend/types.ts';
import { type CompletionSource, NO_COMPLETIONS } from './completions.ts';
import { BLANK, changesOf, draftProblems, editableFields, type Problem, stepProblems } from './draft-action.ts';
import { type DraftError, readDraft, SIZE_LIMIT, TEXT_LIMIT, writeDraft } from './draft-text.ts';
import { type Fields, isFields, same, valueAt, withValue } from './draft-value.ts';
import { SavedDrafts } from './saved-drafts.ts';
import { isCertainFailure, type SettingWarning, settingsProblems, startsUnattended } from './settings-problems.ts';

export interface EditorOptions {
  backend: () => ActionsBackend;
  guard: Guard;
  store: Pick<RunStore, 'payloads' | 'savePayload' | 'removePayload'>;
  /** Null for a new action. */
  action: Action | null;
  /** For a new action: what it starts as. */
  copy?: { of: number; fields: Fields } | undefined;
  completions?: CompletionSource;
  onSaved: (action: Action) => void;
}

/** The parsed draft; null while its text isn't valid JSON. */
type Draft = { value: unknown } | null;

export class ActionEditor {
  readonly completions: CompletionSource;
  /** The last loaded version of the action, which the draft is compared with; null for a new action. */
  readonly base = signal<Action | null>(null);
  readonly text = signal('');
  readonly draft = signal<Draft>(null);
  readonly jsonError = signal<DraftError | null>(null);
  readonly view = signal<'form' | 'json'>('form');
  readonly saving = signal(false);
  readonly error = signal<ErrorValue | null>(null);
  /** The action as it was saved since. */
  readonly conflict = signal<Action | null>(null);
  /** When a restored draft was saved, in epoch milliseconds. */
  readonly restoredAt = signal<number | null>(null);
  readonly saved = signal(false);
  /** Whether the draft couldn't be saved because the app's list, read in whole, doesn't have the action. */
  readonly isMissing = computed(() => this.error.value === MISSING);
  /** How many times text was rejected because it was too long. */
  readonly rejectedTexts = signal(0);
  /** The most recently discarded draft. */
  readonly discarded = signal<string | null>(null);
  /** Resolves once a saved draft, if any, has been restored. */
  readonly ready: Promise<void>;

  readonly #options: EditorOptions;
  /** The editable fields of `base` and its revision. */
  readonly #origin = signal(originOf(null));
  /** The last draft that the platform rejected, and its problems. */
  readonly #refused = signal<{ value: unknown; problems: readonly Problem[] } | null>(null);
  #drafts: SavedDrafts;
  #touched = false;
  readonly #stopSaving: () => void;

  readonly #steps = computed(() => stepProblems(this.draft.value?.value, this.completions.packages.value));
  /** Problems that prevent saving. */
  readonly #blocking = computed((): Problem[] => {
    if (!this.draft.value) return [];
    const { value } = this.draft.value;
    const { length } = JSON.stringify(value);
    if (length > SIZE_LIMIT) return [{ path: '', message: tooLarge(length, SIZE_LIMIT) }];
    return [...draftProblems(value), ...this.#steps.value.wrong];
  });
  readonly isChanged = computed(() =>
    this.draft.value ? !same(this.draft.value.value, this.#origin.value.fields) : true,
  );
  /** Problems that prevent saving, problems that the platform reported, and problems that it will probably report. */
  readonly problems = computed((): readonly Problem[] => {
    // Don't show problems in a new action before the user has entered anything.
    if (this.base.value === null && !this.isChanged.value) return [];
    if (this.jsonError.value) return [{ path: '', message: this.jsonError.value.message }];
    const own = [...this.#blocking.value, ...this.#steps.value.unlisted];
    const paths = new Set(own.map(({ path }) => path));
    const { value, problems } = this.#refused.value ?? { value: null, problems: [] };
    const draft = this.draft.value?.value;
    // A reported problem applies until the user changes the value.
    const isCurrent = ({ path }: Problem): boolean =>
      !paths.has(path) && same(valueAt(value, path), valueAt(draft, path));
    return [...own, ...problems.filter(isCurrent)];
  });
  /** Problems in settings. The platform accepts any settings, so these don't prevent saving. */
  readonly warnings = computed((): readonly SettingWarning[] => {
    if (!this.draft.value || this.jsonError.value) return [];
    return settingsProblems(this.draft.value.value, this.completions.packages.value).slice(0, WARNING_LIMIT);
  });
  /** Whether the action would start without a person, and then fail because settings are missing. */
  readonly failsUnattended = computed(
    () => this.warnings.value.some(isCertainFailure) && startsUnattended(this.draft.value?.value),
  );
  /** Why the action can't be saved now; null if it can. */
  readonly cannotSave = computed(() => {
    if (this.saving.value) return 'Wait until the action is saved';
    const [first] = this.jsonError.value ? this.problems.value : this.#blocking.value;
    if (first) return invalidMessage(first.message);
    return this.base.value && !this.isChanged.value ? 'Change the action to save it' : null;
  });

  constructor(options: EditorOptions) {
    this.#options = options;
    this.completions = options.completions ?? NO_COMPLETIONS;
    this.#rebase(options.action);
    if (options.copy) this.#origin.value = { fields: options.copy.fields, revision: undefined };
    this.text.value = writeDraft(this.#origin.value.fields);
    this.draft.value = { value: this.#origin.value.fields };
    this.#drafts = this.#draftsOf(options.action?.id ?? null);
    this.#stopSaving = effect(() => {
      const { fields, revision = null } = this.#origin.value;
      const draft = this.isChanged.value ? { text: this.text.value, base: fields, revision } : null;
      if (this.#touched) this.#saveDraft(draft);
    });
    this.ready = this.#restore().catch(this.#reportDraftError);
  }

  setText = (text: string): void => {
    if (text === this.text.peek()) return;
    if (text.length > TEXT_LIMIT) {
      this.rejectedTexts.value++;
      this.error.value = {
        code: 'ACTION_TOO_LARGE',
        message: `${tooLarge(text.length, TEXT_LIMIT)} Nothing was changed.`,
        hint: 'Move large data to a data source, and read it in a function step.',
      };
      return;
    }
    const read = readDraft(text);
    this.#show(text, read.ok ? { value: read.value } : null, read.ok ? null : read.error);
  };

  set = (pointer: string, value: unknown): void => {
    const draft = this.draft.peek()?.value;
    this.replace(withValue(isFields(draft) ? draft : {}, pointer, value));
  };

  /** Replaces the whole draft. */
  replace = (value: unknown): void => {
    const text = writeDraft(value);
    if (text.length > TEXT_LIMIT) this.setText(text);
    else this.#show(text, { value }, null);
  };

  save = async (): Promise<void> => {
    if (this.cannotSave.peek() !== null) return;
    const base = this.base.peek();
    const question = (): GuardQuestion => (base ? saveQuestion(base) : this.#createQuestion());
    await this.#allow(question, () => this.#save());
  };

  async #save(): Promise<void> {
    const draft = this.draft.peek();
    if (this.cannotSave.peek() !== null || !draft) return;
    this.saving.value = true;
    this.error.value = null;
    const response = await this.#request(draft.value as Fields);
    this.saving.value = false;
    if (response.ok) this.#onSaved(response.value, draft.value);
    else await this.#onRefused(response.error, draft.value);
  }

  /** Replaces the draft with the saved version. `undo` restores the draft. */
  acceptTheirs = (): void => {
    const theirs = this.conflict.peek();
    if (!theirs) return;
    batch(() => {
      this.#stash();
      this.#rebase(theirs);
      this.conflict.value = null;
      this.#showOrigin();
    });
  };

  /** Saves the draft over the saved version, which is then lost. */
  overwrite = async (): Promise<void> => {
    const theirs = this.conflict.peek();
    if (!theirs) return;
    const question = overwriteQuestion(theirs);
    await this.#allow(
      () => question,
      async () => {
        batch(() => {
          this.#rebase(theirs);
          this.conflict.value = null;
        });
        await this.#save();
      },
    );
  };

  /** Creates an action that is no longer listed again from the draft. */
  recreate = async (): Promise<void> => {
    const question = (): GuardQuestion => this.#createQuestion();
    await this.#allow(question, async () => {
      this.#saveDraft(null);
      this.#drafts = this.#draftsOf(null);
      this.#rebase(null);
      await this.#save();
    });
  };

  discard = (): void => {
    batch(() => {
      this.#stash();
      if (this.base.peek()) this.#rebase(this.conflict.peek() ?? this.base.peek());
      this.conflict.value = null;
      this.#showOrigin();
    });
  };

  undo = (): void => {
    const before = this.discarded.peek();
    this.discarded.value = null;
    if (before !== null) this.setText(before);
  };

  dismiss = (): void => {
    this.error.value = null;
  };

  dispose(): void {
    this.#stopSaving();
  }

  #allow(question: () => GuardQuestion, work: () => Promise<void>): Promise<void | null> {
    const { guard, backend } = this.#options;
    return allowCurrent(guard, backend().of.environmentId, question, work);
  }

  #createQuestion(): GuardQuestion {
    const draft = this.draft.peek()?.value;
    return createQuestion(isFields(draft) ? draft['name'] : undefined);
  }

  #draftsOf(actionId: number | null): SavedDrafts {
    const { store, backend, copy } = this.#options;
    return new SavedDrafts(store, { ...backend().of, actionId, copyOf: copy?.of });
  }

  #saveDraft(draft: Parameters<SavedDrafts['write']>[0]): void {
    this.#drafts.write(draft).catch(this.#reportDraftError);
  }

  #reportDraftError = (thrown: unknown): void => {
    this.error.value = { ...toErrorValue(thrown), code: 'DRAFT_NOT_KEPT' };
  };

  #show(text: string, draft: Draft, jsonError: DraftError | null): void {
    this.#touched = true;
    batch(() => {
      this.text.value = text;
      this.draft.value = draft;
      this.jsonError.value = jsonError;
      this.saved.value = false;
    });
  }

  #showOrigin(): void {
    const { fields } = this.#origin.peek();
    this.#show(writeDraft(fields), { value: fields }, null);
  }

  #rebase(action: Action | null): void {
    this.base.value = action;
    this.#origin.value = originOf(action);
  }

  #stash(): void {
    this.discarded.value = this.text.peek();
    this.restoredAt.value = null;
    this.#refused.value = null;
    this.error.value = null;
  }

  #request(draft: Fields): Promise<Result<Action>> {
    const backend = this.#options.backend();
    const id = this.base.peek()?.id;
    if (id === undefined) return backend.create(draft as NewAction);
    const origin = this.#origin.peek();
    return backend.update({ id, ...origin }, changesOf(origin.fields, draft));
  }

  /** @param sent the draft that was saved; the current draft might have changed since */
  #onSaved(action: Action, sent: unknown): void {
    if (this.base.peek() === null) {
      // Now that the action has an ID, its draft is stored under that ID.
      this.#saveDraft(null);
      this.#drafts = this.#draftsOf(action.id);
    }
    batch(() => {
      const isCurrent = this.draft.peek()?.value === sent;
      this.#rebase(action);
      this.#refused.value = null;
      this.conflict.value = null;
      this.restoredAt.value = null;
      this.discarded.value = null;
      if (isCurrent) this.#showOrigin();
      this.saved.value = isCurrent;
    });
    // The platform accepted a package that isn't in the list, so the list is outdated.
    if (this.#steps.peek().unlisted.length > 0) void this.completions.load();
    this.#options.onSaved(action);
  }

  async #onRefused(error: ErrorValue, sent: unknown): Promise<void> {
    const code = error.said?.code ?? error.code;
    if (code === 'CONFLICT' && this.base.peek()) return this.#loadTheirs(error);
    if (code === 'CHANGE_IGNORED') await this.#loadSaved();
    if (error.status === 404 && (await this.#isUnlisted())) return void (this.error.value = MISSING);
    batch(() => {
      this.error.value = error;
      const problems =
        code === 'NAME_TAKEN' ? [{ path: '/name', message: error.said?.message ?? error.message }] : error.details;
      if (problems) this.#refused.value = { value: sent, problems };
    });
  }

  /** The platform saved some of the changes. The others stay in the draft. */
  async #loadSaved(): Promise<void> {
    const id = this.base.peek()?.id;
    const saved = id === undefined ? null : await this.#options.backend().find(id, null);
    if (!saved?.ok || !saved.value) return;
    this.#rebase(saved.value);
    this.#options.onSaved(saved.value);
  }

  /** A platform's 404 can also be a proxy's, or mean that the token has no access. */
  async #isUnlisted(): Promise<boolean> {
    const id = this.base.peek()?.id;
    const found = id === undefined ? null : await this.#options.backend().find(id, null);
    return found?.ok === true && found.value === null;
  }

  async #loadTheirs(refusal: ErrorValue): Promise<void> {
    const id = this.base.peek()?.id;
    if (id === undefined) return;
    const latest = await this.#options.backend().find(id, null);
    const theirs = latest.ok ? latest.value : null;
    batch(() => {
      this.conflict.value = theirs;
      if (theirs) this.error.value = null;
      else this.error.value = latest.ok ? MISSING : { ...refusal, hint: 'Try again to compare both versions.' };
    });
  }

  async #restore(): Promise<void> {
    const { action } = this.#options;
    const found = await this.#drafts.read();
    if (!found || this.#touched) return;
    const { revision } = this.#origin.peek();
    const isOutdated =
      action !== null && found.revision !== null && revision !== undefined && found.revision !== revision;
    batch(() => {
      if (action) this.#origin.value = { fields: found.base, revision: found.revision ?? undefined };
      this.setText(found.text);
      this.restoredAt.value = found.savedAt;
      if (isOutdated) this.conflict.value = action;
    });
  }
}

const WARNING_LIMIT = 100;

const MISSING: ErrorValue = {
  code: 'NOT_FOUND',
  message: 'Couldn’t save the action: the app’s list no longer has it.',
  hint: 'Create it again from your draft.',
};

const tooLarge = (length: number, limit: number): string =>
  `An action is limited to ${formatCount(limit)} characters of JSON. This one has ${formatCount(length)}.`;

function originOf(action: Action | null): { fields: Fields; revision: number | undefined } {
  return { fields: action ? editableFields(action) : BLANK, revision: action?.revision };
}
