/** Owns what an app's page needs of the page that shows it: time, whether anybody looks, and whether there is a network. */
import { signal, type ReadonlySignal } from '@preact/signals';

export interface HostPage {
  /** Epoch milliseconds. */
  now(): number;
  /** Does it after so many milliseconds, unless the answer is called. */
  later(work: () => void, milliseconds: number): () => void;
  readonly isVisible: ReadonlySignal<boolean>;
  readonly isOnline: ReadonlySignal<boolean>;
}

/** That of the document it is called in, for as long as that lives. */
export function createHostPage(): HostPage {
  const isVisible = signal(document.visibilityState !== 'hidden');
  const isOnline = signal(navigator.onLine);
  document.addEventListener('visibilitychange', () => (isVisible.value = document.visibilityState !== 'hidden'));
  for (const type of ['online', 'offline']) addEventListener(type, () => (isOnline.value = navigator.onLine));
  return {
    now: Date.now,
    later(work, milliseconds) {
      const timer = setTimeout(work, milliseconds);
      return () => clearTimeout(timer);
    },
    isVisible,
    isOnline,
  };
}
