/** Clicks an element at its position as a person would, and again if it had just moved and the click landed on nothing. */
import type { Frame, Page } from 'puppeteer-core';
import { LIMIT, waitFor } from '../wait-for.ts';

/** Milliseconds for one attempt: an element can vanish before the click. */
const ATTEMPT = 15_000;

/** The window of a document that notes where the next click lands: the element’s name, or null for none. */
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
  await clickOnce(target, { what: `“${name}”`, selector: `control/${name}[role="${role}"]`, role, isDone });
}

/**
 * Waits until the element can be clicked, and clicks it.
 * @param selector of an element that isn’t selected by its role and accessible name, such as a row
 * @throws Error if there’s no such element
 */
export async function click(target: Frame | Page, selector: string): Promise<void> {
  await clickOnce(target, { what: selector, selector, role: null, isDone: async () => false });
}

/**
 * Opens a menu with its button if it isn’t open, and waits until it has what is looked for. The menu closes whenever the
 * panel’s layout changes.
 * @param content a selector
 */
export async function openMenu(frame: Frame, button: string, menu: string, content: string): Promise<void> {
  await waitFor(`${content} in ${menu}`, async () => {
    if (!(await frame.$(`${menu}:popover-open`))) await click(frame, button);
    return frame.$(`${menu}:popover-open ${content}`);
  });
}

interface Clicked {
  what: string;
  selector: string;
  /** Null if any element can be meant. */
  role: string | null;
  isDone: () => Promise<boolean>;
}

async function clickOnce(target: Frame | Page, { what, selector, role, isDone }: Clicked): Promise<void> {
  const locator = target.locator(selector).setTimeout(ATTEMPT);
  const attempt = async () => {
    if (await isDone()) return { own: what, landed: what };
    const element = await target.$(selector);
    if (!element) throw new Error('There’s no such element.');
    const own = await element.evaluate(observeClick, role);
    if (own === null) return false;
    const failure: unknown = await locator.click().then(
      () => null,
      (error: unknown) => error,
    );
    // If the document is gone, the click has had its effect.
    const landed = await element.evaluate(landedOn).catch(() => (failure ? null : own));
    if (typeof landed === 'string') return { own, landed };
    if (failure) throw failure;
    return false;
  };
  // A second attempt beside the first would click twice.
  const { own, landed } = await waitFor(`a click on ${what}`, attempt, LIMIT, LIMIT);
  if (landed !== own) throw new Error(`The click on “${own}” landed on “${landed}”.`);
}

/** Runs in the page. Returns the element’s name, or null if it’s disabled. */
function observeClick(element: Element, role: string | null): string | null {
  if (element.getAttribute('aria-disabled') === 'true') return null;
  const view = element.ownerDocument.defaultView as unknown as Observed;
  const nameOf = (one: Element): string => one.getAttribute('aria-label') ?? one.textContent ?? '';
  const own = nameOf(element);
  const landedOn = (clicked: Element): string | null => {
    if (element.contains(clicked)) return own;
    // An element that is gone can have been replaced by an equal one.
    if (role === null && element.isConnected) return null;
    const other = clicked.closest(role === null ? element.localName : `button, a, [role="${role}"]`);
    const name = other && nameOf(other);
    return role !== null || name === own ? name : null;
  };
  view.landed = new Promise((resolve) => {
    const onClick = ({ target }: MouseEvent): void => resolve(landedOn(target as Element));
    view.addEventListener('click', onClick, { capture: true, once: true });
    // No click follows if what was pressed is removed before the release.
    view.addEventListener('pointerup', () => setTimeout(resolve, 0, null), { capture: true, once: true });
  });
  return own;
}

/** Runs in the page, after the browser has confirmed the click. A click in another frame isn’t seen here. */
const landedOn = (element: Element): Promise<string | null> | undefined => {
  const view = element.ownerDocument.defaultView as unknown as Observed;
  return view.landed && Promise.race([view.landed, new Promise<null>((resolve) => setTimeout(resolve, 1_000, null))]);
};
