/** Finds controls that are outside of the viewport, cut off, or covered, but not by a dialog that must be answered first. */
import type { Frame, Page } from 'puppeteer-core';

/** Where every control must be visible at once. Elsewhere, content scrolls. */
const CHROME = '.tab-bar, .section-head, .step-head, .view-buttons, .filters, .table-bar';

/**
 * One line per fault.
 * @param required names of buttons that must be visible
 */
export function layoutFaults(surface: Page | Frame, required: readonly string[]): Promise<string[]> {
  return surface.evaluate(
    (chrome, required) => {
      const faults: string[] = [];
      // A focused field can have scrolled the page since.
      document.documentElement.scrollTop = 0;
      const shownIn = document.querySelector('dialog:modal') ?? document;
      const controls = [...shownIn.querySelectorAll<HTMLElement>(chrome)].flatMap((bar) => [
        ...bar.querySelectorAll<HTMLElement>('button, select, input, [role=tab], h2'),
      ]);
      const isShown = (element: HTMLElement): boolean =>
        element.checkVisibility({ visibilityProperty: true }) &&
        !getComputedStyle(element).clipPath.startsWith('inset') &&
        !element.matches('.visually-hidden, .visually-hidden *, [type=file]');
      const nameOf = (element: HTMLElement): string =>
        element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name') || '');
      const shown = [...new Set(controls)].filter(isShown);
      for (const element of shown) {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const name = `${element.localName} “${nameOf(element)}”`;
        if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) {
          faults.push(`${name} is outside of the panel`);
          continue;
        }
        const middle = (top + bottom) / 2;
        const hidden = [left + 3, (left + right) / 2, right - 3].some((x) => {
          const hit = document.elementFromPoint(x, middle);
          return hit === null || !(element.contains(hit) || hit.contains(element));
        });
        const isWrapped = [left + 3, right - 3].some((x) => {
          const hit = document.elementFromPoint(x, middle);
          return hit !== null && hit !== element && hit.contains(element);
        });
        if (hidden || isWrapped) faults.push(`${name} is cut off or covered`);
        const isText = element.matches('button, h2') && getComputedStyle(element).textOverflow !== 'ellipsis';
        if (isText && element.scrollWidth > element.clientWidth + 1) faults.push(`The text of ${name} is cut off`);
      }
      const names = shown.filter((element) => element.matches('button')).map(nameOf);
      for (const name of required) if (!names.includes(name)) faults.push(`There is no button “${name}”`);
      return faults;
    },
    CHROME,
    required,
  );
}
