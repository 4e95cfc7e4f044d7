/** The payload being edited for each action, and saved payloads. */
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { RunStore, SavedPayload } from '../history/run-store.ts';
import { checkPayloadText } from './payload.ts';

export const EMPTY_PAYLOAD = '{}';

export class Payloads {
  readonly #store: RunStore;
  /** The action that *Run* runs; an empty string if unknown. */
  readonly #subject: ReadonlySignal<string>;
  readonly #texts = signal<ReadonlyMap<string, string>>(new Map());
  readonly text = computed(() => this.textOf(this.#subject.value));
  readonly check = computed(() => checkPayloadText(this.text.value));
  readonly canSave = computed(() => this.#subject.value !== '');
  readonly saved = signal<readonly SavedPayload[]>([]);
  readonly error = signal<ErrorValue | null>(null);
  readonly dispose: () => void;

  constructor(store: RunStore, subject: ReadonlySignal<string | null>) {
    this.#store = store;
    this.#subject = computed(() => subject.value ?? '');
    this.dispose = effect(() => {
      const listed = this.#subject.value;
      this.saved.value = [];
      if (listed) void this.#attempt(() => this.#list(listed));
    });
  }

  readonly setText = (text: string): void => this.setTextOf(this.#subject.value, text);

  /** The editor's text for an action. */
  textOf(subject: string): string {
    return this.#texts.value.get(subject) ?? EMPTY_PAYLOAD;
  }

  setTextOf(subject: string, text: string): void {
    this.#texts.value = new Map(this.#texts.peek()).set(subject, text);
  }

  /** Saves the text under a name, replacing any payload with that name. */
  save(name: string): Promise<void> {
    const subject = this.#subject.value;
    const payload = { subject, name: name.trim(), text: this.text.value, savedAt: Date.now() };
    return this.#attempt(async () => {
      await this.#store.savePayload(payload);
      await this.#list(subject);
    });
  }

  remove(name: string): Promise<void> {
    const subject = this.#subject.value;
    return this.#attempt(async () => {
      await this.#store.removePayload(subject, name);
      await this.#list(subject);
    });
  }

  async #list(subject: string): Promise<void> {
    const saved = await this.#store.payloads(subject);
    if (this.#subject.peek() === subject) this.saved.value = saved;
  }

  async #attempt(change: () => Promise<void>): Promise<void> {
    try {
      await change();
      this.error.value = null;
    } catch (thrown) {
      this.error.value = { ...toErrorValue(thrown), code: 'PAYLOAD_NOT_SAVED' };
    }
  }
}
