/** Owns the payload being edited, one per action, and the named ones that were saved for it. */
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { findJsonError } from './json-error.ts';
import { checkPayload, type PayloadCheck } from './payload.ts';
import type { RunStore, SavedPayload } from '../history/run-store.ts';

export interface Payloads {
  readonly text: ReadonlySignal<string>;
  readonly check: ReadonlySignal<PayloadCheck>;
  readonly saved: ReadonlySignal<SavedPayload[]>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  setText(text: string): void;
  /** What stands in the editor once the page is for this action. */
  textOf(subject: string): string;
  setTextOf(subject: string, text: string): void;
  /** Keeps the text under a name; the same name is replaced. */
  save(name: string): Promise<void>;
  remove(name: string): Promise<void>;
  dispose(): void;
}

export const EMPTY_PAYLOAD = '{}';

export function createPayloads(store: RunStore, subject: ReadonlySignal<string | null>): Payloads {
  const texts = signal<ReadonlyMap<string, string>>(new Map());
  const saved = signal<SavedPayload[]>([]);
  const error = signal<ErrorValue | null>(null);
  const key = computed(() => subject.value ?? '');
  const text = computed(() => texts.value.get(key.value) ?? EMPTY_PAYLOAD);
  /** Loaded with the first text that is not JSON: few panels need it. */
  const finder = signal<typeof findJsonError | null>(null);
  const check = computed(() => checkPayload(text.value, finder.value));
  const stopFinding = effect(() => {
    if (finder.value === null && check.value.length === null)
      void import('./json-error.ts').then(
        (module) => {
          finder.value = module.findJsonError;
        },
        () => {},
      );
  });

  function setTextOf(of: string, value: string): void {
    texts.value = new Map(texts.value).set(of, value);
  }

  async function list(of: string): Promise<void> {
    const all = await store.payloads(of);
    if (key.peek() === of) saved.value = all;
  }
  const attempt = (change: () => Promise<void>): Promise<void> =>
    change().then(
      () => {
        error.value = null;
      },
      (thrown: unknown) => {
        error.value = { ...toErrorValue(thrown), code: 'PAYLOAD_NOT_SAVED' };
      },
    );
  const stopListing = effect(() => {
    const of = key.value;
    saved.value = [];
    if (of) void attempt(() => list(of));
  });
  return {
    text,
    check,
    saved,
    error,
    dispose() {
      stopFinding();
      stopListing();
    },
    setText: (value) => setTextOf(key.value, value),
    textOf: (of) => texts.value.get(of) ?? EMPTY_PAYLOAD,
    setTextOf,
    save: (name) =>
      attempt(async () => {
        const of = key.value;
        await store.savePayload({ subject: of, name: name.trim(), text: text.value, savedAt: Date.now() });
        await list(of);
      }),
    remove: (name) =>
      attempt(async () => {
        const of = key.value;
        await store.removePayload(of, name);
        await list(of);
      }),
  };
}
