/** What an app's page uses of the document that shows it: time, visibility, and the network. */
import { signal, type ReadonlySignal } from '@preact/signals';

export interface HostPage {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` after a time in milliseconds. Returns a function that cancels it. */
  later(task: () => void, milliseconds: number): () => void;
  readonly isVisible: ReadonlySignal<boolean>;
  readonly isOnline: ReadonlySignal<boolean>;
}

/** For the current document, as long as it lives. */
export function createHostPage(): HostPage {
  const isVisible = signal(document.visibilityState !== 'hidden');
  const isOnline = signal(navigator.onLine);
  document.addEventListener('visibilitychange', () => (isVisible.value = document.visibilityState !== 'hidden'));
  for (const type of ['online', 'offline']) addEventListener(type, () => (isOnline.value = navigator.onLine));
  return {
    now: Date.now,
    later(task, milliseconds) {
      const timer = setTimeout(task, milliseconds);
      return () => clearTimeout(timer);
    },
    isVisible,
    isOnline,
  };
}
