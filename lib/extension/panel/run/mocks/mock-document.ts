/** A stored document of mocks. Other panels can change it, too, so each change starts from what is stored. */
import { computed, signal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { SerialQueue } from '../../../../shared/serial-queue.ts';
import type { RunStore } from '../history/run-store.ts';
import type { DocumentKind } from './stored-mocks.ts';

type Store = Pick<RunStore, 'debugging' | 'putDebugging'>;

/** A document that can’t be read: why, and its text. */
export interface Unreadable {
  error: ErrorValue;
  text: string;
}

export class MockDocument<T> {
  readonly #store: Store;
  readonly #subject: string;
  readonly #kind: DocumentKind<T>;
  readonly #queue = new SerialQueue();
  readonly #value = signal<T | null>(null);
  /** Empty until the document is loaded. */
  readonly value = computed(() => this.#value.value ?? this.#kind.empty);
  readonly unreadable = signal<Unreadable | null>(null);
  /** Whether its content is known, or that it can’t be read. */
  readonly isLoaded = computed(() => this.#value.value !== null || this.unreadable.value !== null);
  /** Why the browser can’t load or save it. Changes then last until the panel is closed. */
  readonly error = signal<ErrorValue | null>(null);
  #loading: Promise<void> | null = null;
  /** Whether the browser couldn’t save the last change. */
  #isUnsaved = false;

  constructor(store: Store, subject: string, kind: DocumentKind<T>) {
    this.#store = store;
    this.#subject = subject;
    this.#kind = kind;
  }

  /** Loads it once. */
  load(): Promise<void> {
    return (this.#loading ??= this.refresh());
  }

  /** Loads it again, because another panel can have changed it. */
  refresh(): Promise<void> {
    return this.#queue.run(() => this.#load());
  }

  /** Resolves once all earlier changes are applied. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Applies a change to what is stored. Does nothing if that can’t be read. */
  change(change: (stored: T) => T): Promise<void> {
    return this.#queue.run(async () => {
      await this.#load();
      const before = this.#value.peek();
      if (before === null) return;
      const after = change(before);
      this.#value.value = after;
      const { name, write } = this.#kind;
      this.#isUnsaved = !(await this.#attempt(() => this.#store.putDebugging(this.#subject, name, write(after))));
    });
  }

  /** Replaces a document that can’t be read with an empty one. Its text stays in the database under another name. */
  startOver(): Promise<void> {
    return this.#queue.run(async () => {
      const unreadable = this.unreadable.peek();
      if (!unreadable) return;
      const { name, write, empty } = this.#kind;
      const isDone = await this.#attempt(async () => {
        await this.#store.putDebugging(this.#subject, `${name}-unreadable`, unreadable.text);
        await this.#store.putDebugging(this.#subject, name, write(empty));
      });
      if (!isDone) return;
      this.unreadable.value = null;
      this.#value.value = empty;
    });
  }

  async #load(): Promise<void> {
    if (this.#isUnsaved) return;
    let text: string | undefined;
    const isRead = await this.#attempt(async () => {
      text = await this.#store.debugging(this.#subject, this.#kind.name);
    });
    if (!isRead) return void (this.#value.value ??= this.#kind.empty);
    const read = text === undefined ? null : this.#kind.read(text);
    this.unreadable.value = read && !read.ok ? { error: read.error, text: text ?? '' } : null;
    this.#value.value = read === null ? this.#kind.empty : read.ok ? read.value : null;
  }

  async #attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.error.value = null;
      return true;
    } catch (thrown) {
      this.error.value = toErrorValue(thrown);
      return false;
    }
  }
}

/** The documents of all actions and apps, each loaded once. */
export class MockDocuments {
  readonly #store: Store;
  readonly #documents = new Map<string, MockDocument<unknown>>();

  constructor(store: Store) {
    this.#store = store;
  }

  of<T>(subject: string, kind: DocumentKind<T>): MockDocument<T> {
    const key = `${kind.name} ${subject}`;
    let document = this.#documents.get(key) as MockDocument<T> | undefined;
    if (!document) {
      document = new MockDocument(this.#store, subject, kind);
      this.#documents.set(key, document as MockDocument<unknown>);
    }
    return document;
  }
}
