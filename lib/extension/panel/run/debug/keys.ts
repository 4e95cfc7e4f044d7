/** The debugger's keys, which are those of DevTools. */
import type { RunDebug } from './run-debug.ts';

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>;

/**
 * Handles a key. Returns false for keys that aren't the debugger's, such as those of DevTools while it has paused the page:
 * otherwise, its own debugger must not get them, too.
 */
export function handleDebugKey(debug: RunDebug, { key, shiftKey, altKey, ctrlKey, metaKey }: Key): boolean {
  if (altKey || ctrlKey || metaKey || (shiftKey && key !== 'F11')) return false;
  if (key === 'F9') return debug.toggleSelected();
  if (!debug.isControlled.peek()) return false;
  const { pause } = debug;
  switch (key) {
    case 'F8':
      void (pause.current.peek() ? pause.resume({ go: 'resume' }) : pause.pause());
      return true;
    case 'F10':
      void pause.resume({ go: 'over' });
      return true;
    case 'F11':
      void pause.resume({ go: shiftKey ? 'out' : 'into' });
      return true;
    default:
      return false;
  }
}
