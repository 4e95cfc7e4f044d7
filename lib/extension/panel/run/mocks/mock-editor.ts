/** The open editor of an action’s mocks: the selected set and mock, and drafts that aren’t valid yet. */
import { batch, computed, signal } from '@preact/signals';
import { OUTGOING_PACKAGES } from '../../../../debugging/mocks/dry-run.ts';
import type { Mock } from '../../../../debugging/mocks/types.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { draftOf, type MockDraft, readMockDraft } from './mock-draft.ts';
import type { Mocks } from './mocks.ts';
import { moved } from './set-changes.ts';

export class MockEditor {
  readonly mocks: Mocks;
  readonly isOpen = signal(false);
  readonly #setId = signal<string | null>(null);
  readonly #index = signal(0);
  /** What was typed since the mock was selected. */
  readonly #draft = signal<MockDraft | null>(null);
  readonly importError = signal<ErrorValue | null>(null);
  /** The selected set; the first one if the selected one is gone. */
  readonly set = computed(() => {
    const sets = this.mocks.sets.value;
    return sets.find(({ id }) => id === this.#setId.value) ?? sets[0] ?? null;
  });
  /** Index of the selected mock in its set; null if the set is empty. */
  readonly index = computed(() => {
    const count = this.set.value?.mocks.length ?? 0;
    return count === 0 ? null : Math.min(this.#index.value, count - 1);
  });
  readonly draft = computed((): MockDraft | null => {
    const mock = this.set.value?.mocks[this.index.value ?? -1];
    return this.#draft.value ?? (mock ? draftOf(mock) : null);
  });
  /** Problems of the draft. While it has any, the mock keeps its last valid state. */
  readonly problems = computed(() => (this.draft.value ? readMockDraft(this.draft.value).problems : null));

  constructor(mocks: Mocks) {
    this.mocks = mocks;
  }

  readonly open = (): void => {
    this.isOpen.value = true;
    void this.mocks.refresh();
  };

  readonly close = (): void => {
    batch(() => {
      this.isOpen.value = false;
      this.importError.value = null;
      this.#draft.value = null;
    });
  };

  select(setId: string, index = 0): void {
    batch(() => {
      this.#setId.value = setId;
      this.#index.value = index;
      this.#draft.value = null;
    });
  }

  edit(change: Partial<MockDraft>): void {
    const [set, index, draft] = [this.set.peek(), this.index.peek(), this.draft.peek()];
    if (!set || index === null || !draft) return;
    const edited = { ...draft, ...change };
    this.#draft.value = edited;
    const { mock } = readMockDraft(edited);
    if (mock) void this.mocks.setMocks(set.id, (mocks) => mocks.map((each, at) => (at === index ? mock : each)));
  }

  addSet(): void {
    this.select(this.mocks.add('Mocks'));
  }

  /** Adds a mock at the end of the selected set, or of a new one. */
  async add(mock: Mock): Promise<void> {
    const set = this.set.peek();
    const id = set?.id ?? this.mocks.add('Mocks');
    await this.mocks.setMocks(id, (mocks) => [...mocks, mock]);
    this.select(id, (this.set.peek()?.mocks.length ?? 1) - 1);
  }

  /** Adds a mock for a step, or else for the first function of the pipeline. */
  async addFor(path: string | null): Promise<void> {
    const nodes = this.mocks.nodes.peek().filter(({ kind }) => kind !== 'branch');
    const node = nodes.find((each) => each.path === path) ?? nodes.find(({ kind }) => kind === 'function');
    await this.add({ target: node ? { path: node.path } : { package: OUTGOING_PACKAGES[0] as string }, outcome: {} });
  }

  setOff(index: number, isOff: boolean): void {
    const set = this.set.peek();
    if (!set) return;
    this.select(set.id, index);
    this.edit({ isOff });
  }

  readonly dismissImport = (): void => {
    this.importError.value = null;
  };

  async duplicate(): Promise<void> {
    await this.#change((mocks, index) => mocks.toSpliced(index, 0, mocks[index] as Mock), 1);
  }

  async move(by: 1 | -1): Promise<void> {
    await this.#change((mocks, index) => moved(mocks, index, by), by);
  }

  async remove(): Promise<void> {
    const [set, index] = [this.set.peek(), this.index.peek()];
    if (!set || index === null) return;
    this.#draft.value = null;
    await this.mocks.removeMock(set.id, index);
  }

  async import(text: string): Promise<void> {
    this.importError.value = await this.mocks.import(text);
    const last = this.mocks.sets.peek().findLast(({ scope }) => scope === 'action');
    if (this.importError.peek() === null && last) this.select(last.id);
  }

  /** @param by where the selection moves */
  async #change(change: (mocks: readonly Mock[], index: number) => Mock[], by: number): Promise<void> {
    const [set, index] = [this.set.peek(), this.index.peek()];
    if (!set || index === null) return;
    await this.mocks.setMocks(set.id, (mocks) => change(mocks, index));
    this.select(set.id, Math.max(0, index + by));
  }
}
