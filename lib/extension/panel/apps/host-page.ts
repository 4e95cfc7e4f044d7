/** What an app's page needs from the document that shows it: time, visibility, and network status. */
import { signal, type ReadonlySignal } from '@preact/signals';

export interface HostPage {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` after a delay in milliseconds. Returns a function that cancels it. */
  later(task: () => void, milliseconds: number): () => void;
  readonly isVisible: ReadonlySignal<boolean>;
  readonly isOnline: ReadonlySignal<boolean>;
}

/** Uses the current document for its entire lifetime. */
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
