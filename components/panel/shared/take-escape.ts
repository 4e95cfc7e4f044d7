/**
 * Whether the key is Escape, which then belongs to the panel. Otherwise, DevTools would handle it, too: it listens on
 * the document, and opens its drawer or split console.
 */
export function takeEscape(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}
