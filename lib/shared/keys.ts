/**
 * Reads key presses for every surface: what belongs to an input method, which commands a held key must not repeat, and
 * letters on any keyboard layout.
 */

type Press = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>;

/** Browsers report this for each key that an input method handles, also where `isComposing` is already false. */
const INPUT_METHOD = 229;

/** Keys whose commands run once per press, even if the key is held. Others move or type, and can repeat. */
const ONCE = /^(?:Enter|Escape|F\d+)$/;

const isModified = ({ ctrlKey, metaKey }: Pick<Press, 'ctrlKey' | 'metaKey'>): boolean => ctrlKey || metaKey;

/** Ctrl+Enter, or ⌘+Enter. */
export const isCommandEnter = (press: Pick<Press, 'key' | 'ctrlKey' | 'metaKey'>): boolean =>
  press.key === 'Enter' && isModified(press);

/** Ctrl+S, or ⌘+S. AltGr is Ctrl+Alt. */
export const isCommandS = (press: Omit<Press, 'repeat'>): boolean =>
  isLetter(press, 'S') && isModified(press) && !press.altKey;

/** Whether it’s the key of a letter, such as `S`. On a layout without Latin letters, its place on the keyboard counts. */
export function isLetter({ key, code }: Pick<Press, 'key' | 'code'>, letter: string): boolean {
  return /^[a-z]$/i.test(key) ? key.toUpperCase() === letter : code === `Key${letter}`;
}

/**
 * Keeps key presses from all other handlers of a window that aren’t meant for them: those that an input method handles,
 * such as Enter for a word, and those that would repeat a command. Returns a function that ends this.
 */
export function guardKeys(surface: Pick<Window, 'addEventListener' | 'removeEventListener'>): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.isComposing || event.keyCode === INPUT_METHOD) return event.stopPropagation();
    if (!repeatsCommand(event)) return;
    // Otherwise, a held Enter would also press the button that gets focus.
    event.preventDefault();
    event.stopPropagation();
  };
  surface.addEventListener('keydown', onKeyDown, { capture: true });
  return () => surface.removeEventListener('keydown', onKeyDown, { capture: true });
}

function repeatsCommand(event: KeyboardEvent): boolean {
  if (!event.repeat) return false;
  if (isCommandEnter(event) || isCommandS(event)) return true;
  const { target, key } = event;
  const isIn = (selector: string): boolean => target instanceof Element && target.closest(selector) !== null;
  // In a text, held keys add and remove lines and characters.
  if (key === 'Enter' && isIn('textarea, [contenteditable]')) return false;
  return ONCE.test(key) || (key === 'Delete' && !isIn('input, textarea, [contenteditable]'));
}
