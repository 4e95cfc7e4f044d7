/** Clicks a control at its position as a person would, and again if it had just moved and the click landed on nothing. */
import type { Frame, Page } from 'puppeteer-core';
import { waitFor } from '../wait-for.ts';

/** In milliseconds. Longer than an attempt: a second one beside it would click twice. */
const LIMIT = 60_000;
/** Milliseconds for one attempt: a control can vanish before the click. */
const ATTEMPT = 15_000;

/** The window of a document that notes where the next click lands: the control’s name, or null for no control. */
interface Observed extends Window {
  landed?: Promise<string | null>;
}

export interface PressOptions {
  /** ARIA role. Default: `button`. */
  role?: string;
  /** Whether no click is needed anymore. Default: one is always needed. */
  isDone?: () => Promise<boolean>;
}

/**
 * Waits until the control can be clicked, and clicks it.
 * @param name the accessible name
 * @throws Error if there’s no such control, or if the click landed on another one
 */
export async function press(
  target: Frame | Page,
  name: string,
  { role = 'button', isDone = async () => false }: PressOptions = {},
): Promise<void> {
  const selector = `control/${name}[role="${role}"]`;
  const control = target.locator(selector).setTimeout(ATTEMPT);
  const click = async () => {
    if (await isDone()) return { own: name, landed: name };
    const element = await target.$(selector);
    if (!element) throw new Error('There’s no such control.');
    const own = await element.evaluate(observeClick, role);
    if (own === null) return false;
    const failure: unknown = await control.click().then(
      () => null,
      (error: unknown) => error,
    );
    // If the document is gone, the click has had its effect.
    const landed = await element.evaluate(landedOn).catch(() => (failure ? null : own));
    if (typeof landed === 'string') return { own, landed };
    if (failure) throw failure;
    return false;
  };
  const { own, landed } = await waitFor(`a click on “${name}”`, click, LIMIT, LIMIT);
  if (landed !== own) throw new Error(`The click on “${own}” landed on “${landed}”.`);
}

/** Runs in the page. Returns the control’s name, or null if it’s disabled. */
function observeClick(element: Element, role: string): string | null {
  if (element.getAttribute('aria-disabled') === 'true') return null;
  const view = element.ownerDocument.defaultView as unknown as Observed;
  const nameOf = (control: Element): string => control.getAttribute('aria-label') ?? control.textContent ?? '';
  view.landed = new Promise((resolve) => {
    const onClick = ({ target }: MouseEvent): void => {
      const clicked = target as Element;
      const control = element.contains(clicked) ? element : clicked.closest(`button, a, [role="${role}"]`);
      resolve(control && nameOf(control));
    };
    view.addEventListener('click', onClick, { capture: true, once: true });
    // No click follows if what was pressed is removed before the release.
    view.addEventListener('pointerup', () => setTimeout(resolve, 0, null), { capture: true, once: true });
  });
  return nameOf(element);
}

/** Runs in the page, after the browser has confirmed the click. A click in another frame isn’t seen here. */
const landedOn = (element: Element): Promise<string | null> | undefined => {
  const view = element.ownerDocument.defaultView as unknown as Observed;
  return view.landed && Promise.race([view.landed, new Promise<null>((resolve) => setTimeout(resolve, 1_000, null))]);
};
