/** An action’s mocks: which sets it has, which of them are on, and what the next run gets. */
import { batch, computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import { parseMocks, writeMocks } from '../../../../debugging/mocks/mocks-file.ts';
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { plural } from '../../../../shared/format.ts';
import {
  activeMocksOf,
  type ActiveMock,
  listedSets,
  type MockScope,
  problemsOf,
  type SetProblem,
} from './active-mocks.ts';
import { pipelineNodes } from '../pipeline-tree.ts';
import type { MockDocument, MockDocuments } from './mock-document.ts';
import type { MadeMock } from './mock-of-step.ts';
import { newSet, withCopy, withMember, withMocks, withName, withoutSet } from './set-changes.ts';
import {
  ACTION_MOCKS,
  type ActionMocks,
  APP_MOCKS,
  type AppMocks,
  type DocumentKind,
  type StoredSet,
} from './stored-mocks.ts';

export interface MocksOptions {
  documents: MockDocuments;
  /** The action whose mocks are shown; null if it’s unknown. */
  subject: ReadonlySignal<string | null>;
  /** The action in the tab, if it can be another one. */
  inTab?: ReadonlySignal<string | null>;
  /** The action’s pipeline; null if it’s unknown. */
  pipeline: ReadonlySignal<unknown>;
  saveFile: (name: string, text: string) => void;
}

/** What was just done, and how to undo it. */
export interface DoneChange {
  text: string;
  undo: () => void;
}

const UNREADABLE = 'Open Mocks: the stored ones can’t be read';

export class Mocks {
  readonly #options: MocksOptions;
  readonly #action = computed(() => this.#documentOf(this.#options.subject.value, ACTION_MOCKS));
  readonly #app = computed(() => this.#documentOf(appOf(this.#options.subject.value), APP_MOCKS));
  readonly #actionMocks = computed((): ActionMocks => this.#action.value?.value.value ?? ACTION_MOCKS.empty);
  readonly #appMocks = computed((): AppMocks => this.#app.value?.value.value ?? APP_MOCKS.empty);
  /** This action’s sets, and then those that the app shares. */
  readonly sets = computed(() => listedSets(this.#actionMocks.value, this.#appMocks.value));
  readonly isDryRun = computed(() => this.#actionMocks.value.isDryRun);
  /** Packages that *Dry run* mocks besides the platform’s own. */
  readonly leaving = computed(() => this.#appMocks.value.leaving);
  readonly active = computed((): ActiveMock[] =>
    activeMocksOf(this.sets.value, this.isDryRun.value ? this.leaving.value : null),
  );
  readonly count = computed(() => this.active.value.length);
  /** What is on, such as `dry run, offline mail`; empty if nothing is. */
  readonly namesOn = computed(() =>
    [this.isDryRun.value && 'dry run', ...this.sets.value.map(({ isOn, name }) => isOn && name)]
      .filter(Boolean)
      .join(', '),
  );
  readonly problems = computed(() => problemsOf(this.active.value, this.#options.pipeline.value, this.sets.value));
  /** The number of sets that were on and that another panel, or another action, has removed. */
  readonly missing = computed(() => {
    const ids = new Set(this.sets.value.map(({ id }) => id));
    return this.isLoaded.value ? this.#actionMocks.value.on.filter((id) => !ids.has(id)).length : 0;
  });
  /** The stored documents that can’t be read. */
  readonly unreadable = computed(() => this.#all.value.flatMap(({ unreadable }) => unreadable.value ?? []));
  /** Why the browser can’t load or save mocks. */
  readonly error = computed(
    (): ErrorValue | null => this.#all.value.find(({ error }) => error.value)?.error.value ?? null,
  );
  /** Why no run can start: it would ignore mocks that are on. */
  readonly cannotApply = computed(() => (this.unreadable.value.length > 0 ? UNREADABLE : null));
  /** Whether something is wrong with the mocks that are on. */
  readonly hasProblem = computed(
    () =>
      this.problems.value.length > 0 ||
      this.missing.value > 0 ||
      this.error.value !== null ||
      this.unreadable.value.length > 0,
  );
  readonly done = signal<DoneChange | null>(null);
  readonly dispose: () => void;

  constructor(options: MocksOptions) {
    this.#options = options;
    this.dispose = effect(() => {
      this.done.value = null;
      for (const document of this.#all.value) void document.load();
    });
  }

  readonly #all = computed(() => {
    const inTab = this.#options.inTab?.value ?? null;
    const documents = [
      this.#action.value,
      this.#app.value,
      this.#documentOf(inTab, ACTION_MOCKS),
      this.#documentOf(appOf(inTab), APP_MOCKS),
    ];
    return [...new Set(documents.filter((document) => document !== null))];
  });
  /** Whether it’s known what is on. */
  readonly isLoaded = computed(() => this.#all.value.every(({ isLoaded }) => isLoaded.value));

  #documentOf<T>(subject: string | null, kind: DocumentKind<T>): MockDocument<T> | null {
    return subject === null ? null : this.#options.documents.of(subject, kind);
  }

  readonly nodes = computed(() => pipelineNodes(this.#options.pipeline.value));

  /** Whether there’s an action that mocks can be for. */
  get hasAction(): boolean {
    return this.#action.value !== null;
  }

  /** Whether the page has an app, whose actions can share sets. */
  get hasApp(): boolean {
    return this.#app.value !== null;
  }

  /** The mocks of the action in the tab. */
  readonly inTab = computed(() => this.mocksOf());

  /** What the next run gets. */
  activeMocks(): readonly Mock[] {
    return this.inTab.peek();
  }

  /**
   * @param subject the action; by default, the one in the tab
   * @param isDryRun by default, if it’s on
   */
  mocksOf(
    subject: string | null = (this.#options.inTab ?? this.#options.subject).value,
    isDryRun?: boolean,
  ): readonly Mock[] {
    const action = this.#documentOf(subject, ACTION_MOCKS)?.value.value ?? ACTION_MOCKS.empty;
    const app = this.#documentOf(appOf(subject), APP_MOCKS)?.value.value ?? APP_MOCKS.empty;
    const leaving = (isDryRun ?? action.isDryRun) ? app.leaving : null;
    return activeMocksOf(listedSets(action, app), leaving).map(({ mock }) => mock);
  }

  /** Resolves once it’s known what is on, as far as the stored mocks can be read. */
  async whenLoaded(): Promise<void> {
    await Promise.all(this.#all.peek().map((document) => document.load()));
  }

  /** Loads what other panels have changed. */
  async refresh(): Promise<void> {
    await Promise.all(this.#all.peek().map((document) => document.refresh()));
  }

  async startOver(): Promise<void> {
    await Promise.all(this.#all.peek().map((document) => document.startOver()));
  }

  readonly setDryRun = (isDryRun: boolean): void => void this.#changeAction((mocks) => ({ ...mocks, isDryRun }));

  readonly setOn = (id: string, isOn: boolean): void =>
    void this.#changeAction((mocks) => ({ ...mocks, on: withMember(mocks.on, id, isOn) }));

  readonly allOff = (): void => void this.#changeAction((mocks) => ({ ...mocks, on: [], isDryRun: false }));

  /** Forgets that sets were on that don’t exist anymore. */
  readonly forgetMissing = (): void => {
    const ids = new Set(this.sets.peek().map(({ id }) => id));
    void this.#changeAction((mocks) => ({ ...mocks, on: mocks.on.filter((id) => ids.has(id)) }));
  };

  /** Whether *Dry run* mocks a package besides the platform’s own. */
  readonly setLeaving = (name: string, isLeaving: boolean): void =>
    void this.#app.peek()?.change((app) => ({ ...app, leaving: withMember(app.leaving, name, isLeaving) }));

  /** Adds a set that’s on, and returns its ID. */
  add(name: string, mocks: Mock[] = []): string {
    const set = newSet(name, mocks, this.#actionMocks.peek().sets);
    void this.#changeAction((stored) => ({ ...stored, sets: [...stored.sets, set], on: [...stored.on, set.id] }));
    return set.id;
  }

  /** Adds a made mock to a set, or to a new one by name, and turns the set on. Undoable. */
  async addMock({ mock, lost }: MadeMock, to: { id: string } | { name: string }): Promise<void> {
    const snapshot = await this.#snapshot();
    const id = 'id' in to ? to.id : this.add(to.name);
    this.setOn(id, true);
    await this.setMocks(id, (mocks) => [mock, ...mocks]);
    const missing = lost > 0 ? ` ${plural(lost, 'value isn’t', 'values aren’t')} known in whole. Enter them.` : '';
    this.#say(`Added to “${this.nameOf(id)}”.${missing}`, snapshot);
  }

  /** The problems of a set, even while it’s off. */
  problemsOf(id: string): SetProblem[] {
    const set = this.sets.value.find((each) => each.id === id);
    if (!set) return [];
    const active = set.isOn ? this.active.value : activeMocksOf([{ ...set, isOn: true }], null);
    return problemsOf(active, this.#options.pipeline.value, this.sets.value).filter(({ setId }) => setId === id);
  }

  nameOf(id: string): string {
    return this.sets.peek().find((set) => set.id === id)?.name ?? '';
  }

  async setMocks(id: string, change: (mocks: readonly Mock[]) => Mock[]): Promise<void> {
    await this.#changeSets(id, (sets) => withMocks(sets, id, change));
  }

  readonly rename = (id: string, name: string): void => void this.#changeSets(id, (sets) => withName(sets, id, name));

  duplicate(id: string): string {
    const copyId = crypto.randomUUID();
    void this.#changeSets(id, (sets) => withCopy(sets, id, copyId));
    return copyId;
  }

  async remove(id: string): Promise<void> {
    const snapshot = await this.#snapshot();
    const name = this.nameOf(id);
    await this.#changeSets(id, (sets) => withoutSet(sets, id));
    await this.#changeAction((mocks) => ({
      ...mocks,
      sets: withoutSet(mocks.sets, id),
      on: withMember(mocks.on, id, false),
    }));
    this.#say(`Removed “${name}”.`, snapshot);
  }

  async removeMock(id: string, index: number): Promise<void> {
    const snapshot = await this.#snapshot();
    await this.setMocks(id, (mocks) => mocks.toSpliced(index, 1));
    this.#say('Removed the mock.', snapshot);
  }

  /** Moves a set between this action and its app. The app’s other actions then have it, too. */
  async setScope(id: string, scope: MockScope): Promise<void> {
    await this.#idle();
    const set = this.sets.peek().find((each) => each.id === id);
    if (!set || set.scope === scope || !this.#app.peek()) return;
    const [action, app] = [this.#action.peek(), this.#app.peek()];
    const changeIn = (scope: MockScope, change: SetsChange) =>
      scope === 'app' ? changeSets(app, change) : changeSets(action, change);
    await changeIn(scope, (sets) => {
      // It’s there already if an earlier move was cut off.
      const others = withoutSet(sets, id);
      return [...others, { ...newSet(set.name, set.mocks, others), id }];
    });
    await changeIn(set.scope, (sets) => withoutSet(sets, id));
  }

  /** Adds the sets of a file, none of which is on. Returns why it can’t be read, or null. */
  async import(text: string): Promise<ErrorValue | null> {
    const read = parseMocks(text);
    if (!read.ok) return read.error;
    const snapshot = await this.#snapshot();
    await this.#changeAction((mocks) => ({
      ...mocks,
      sets: read.value.reduce<readonly StoredSet[]>(
        (sets, { name, mocks: of }) => [...sets, newSet(name, of, sets)],
        mocks.sets,
      ),
    }));
    this.#say(`Added ${plural(read.value.length, 'set')}.`, snapshot);
    return null;
  }

  /** Saves a file with one set, or with all. */
  export(id?: string): void {
    const sets = this.sets.peek().filter((set) => id === undefined || set.id === id);
    this.#options.saveFile('mocks.json', writeMocks(sets.map(({ name, mocks }) => ({ name, mocks }))));
  }

  readonly saveUnreadable = (text: string): void => this.#options.saveFile('unreadable-mocks.json', text);

  async #changeAction(change: (mocks: ActionMocks) => ActionMocks): Promise<void> {
    await this.#action.peek()?.change(change);
  }

  /** Changes the sets of the document that has this one. */
  async #changeSets(id: string, change: SetsChange): Promise<void> {
    const isShared = this.#appMocks.peek().sets.some((set) => set.id === id);
    await (isShared ? changeSets(this.#app.peek(), change) : changeSets(this.#action.peek(), change));
  }

  /** Once all earlier changes are applied, returns what restores both documents as they are then. */
  async #snapshot(): Promise<() => void> {
    await this.#idle();
    const [action, app] = [this.#action.peek(), this.#app.peek()];
    const [actionMocks, appMocks] = [this.#actionMocks.peek(), this.#appMocks.peek()];
    return () => {
      void action?.change(() => actionMocks);
      void app?.change(() => appMocks);
    };
  }

  async #idle(): Promise<void> {
    await Promise.all(this.#all.peek().map((document) => document.idle()));
  }

  #say(text: string, restore: () => void): void {
    const undo = (): void => {
      batch(() => {
        this.done.value = null;
        restore();
      });
    };
    this.done.value = { text, undo };
  }

  readonly dismissDone = (): void => {
    this.done.value = null;
  };
}

type SetsChange = (sets: readonly StoredSet[]) => readonly StoredSet[];

async function changeSets<T extends ActionMocks | AppMocks>(
  document: MockDocument<T> | null,
  change: SetsChange,
): Promise<void> {
  await document?.change((stored) => ({ ...stored, sets: change(stored.sets) }));
}

/** The key of an action’s app; null if the page has none. */
export function appOf(subject: string | null): string | null {
  return /^(.+\/\d+)\/\d+$/.exec(subject ?? '')?.[1] ?? null;
}
