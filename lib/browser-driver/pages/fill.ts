/** Fills in form fields. */
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
