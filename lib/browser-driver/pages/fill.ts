/** Fills in form fields and editors. */
import type { Frame, Page } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';

/**
 * Replaces a field’s text with another one, as a paste does: in one step, so that the form can’t render an older text in between.
 * Puppeteer’s own `fill` empties the field without an event first.
 */
export async function fill(surface: Page | Frame, selector: string, text: string): Promise<void> {
  await waitFor(`the field ${selector}`, () =>
    surface.$eval(
      selector,
      (element, text) => {
        const field = element as HTMLInputElement | HTMLTextAreaElement;
        field.focus();
        field.select();
        // False if the field can't be edited, for example while it's disabled.
        return document.execCommand('insertText', false, text);
      },
      text,
    ),
  );
}

/** Runs in the page: replaces the text of an editor or a text area, as a paste does. */
export function pasteOver(element: Element, text: string): void {
  if (element instanceof HTMLTextAreaElement) element.select();
  else getSelection()?.selectAllChildren(element);
  const clipboardData = new DataTransfer();
  clipboardData.setData('text/plain', text);
  const isTaken = !element.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
  if (!isTaken) document.execCommand('insertText', false, text);
}
