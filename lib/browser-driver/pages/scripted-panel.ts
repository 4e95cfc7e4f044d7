/** Drives the panel with scripts in its document, in the same way in every browser. */
import { waitFor } from '../wait-for.ts';
import type { SavedFile } from './saved-file.ts';

/** In Firefox, clicks with user activation, so that the page is allowed to open a window. */
export const CLICK = `
  const isEnabled = (each) => each.getAttribute('aria-disabled') !== 'true';
  const click = (found) => {
    const clicking = document.defaultView.windowUtils?.setHandlingUserInput?.(true);
    found?.click();
    clicking?.destruct();
    return Boolean(found);
  };`;

/** The accessible name of a button or tab. */
const NAME = `
  const nameOf = (each) => {
    const copy = each.cloneNode(true);
    for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
    return (each.getAttribute('aria-label') ?? copy.textContent).trim();
  };`;

const SET = `
  const set = (field, text, type) => {
    field.value = text;
    field.dispatchEvent(new document.defaultView.Event(type, { bubbles: true }));
  };`;

/** Reads and replaces the text of a field, which a code editor might have replaced. */
const EDIT = `
  ${SET}
  const fieldOf = (name) => document.querySelector(':is(input, textarea, .cm-content)[name="' + name + '"]');
  const ofEditor = (editor, type, text) => {
    const { ClipboardEvent, DataTransfer, KeyboardEvent } = document.defaultView;
    // The editor has only the visible lines in the document, but copies and replaces all of them.
    editor.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', keyCode: 65, ctrlKey: true, bubbles: true, cancelable: true }));
    const clipboardData = new DataTransfer();
    if (text !== undefined) clipboardData.setData('text/plain', text);
    editor.dispatchEvent(new ClipboardEvent(type, { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData('text/plain');
  };
  const textOf = (field) => field.value ?? ofEditor(field, 'copy');
  const edit = (field, text) => (field.matches('.cm-content') ? ofEditor(field, 'paste', text) : set(field, text, 'input'));`;

export abstract class ScriptedPanel {
  /** Runs `script`, a function body that returns JSON. It gets the panel’s document as `document`, followed by `args`. */
  abstract evaluate<T>(script: string, ...args: unknown[]): Promise<T>;

  /**
   * The files that the panel saves.
   * @param save presses what saves them
   */
  abstract saved(count: number, save: () => Promise<void>): Promise<SavedFile[]>;

  has(selector: string): Promise<boolean> {
    return this.evaluate('return document.querySelector(arguments[1]) !== null;', selector);
  }

  async see(what: string, selector: string): Promise<void> {
    await waitFor(what, () => this.has(selector));
  }

  /** Returns the text of every match. */
  texts(selector: string): Promise<string[]> {
    return this.evaluate(
      "return [...document.querySelectorAll(arguments[1])].map((each) => each.innerText.replace(/\\s+/g, ' ').trim());",
      selector,
    );
  }

  /** Waits until the first match’s text matches `wanted`, and returns the text. */
  async says(selector: string, wanted: RegExp): Promise<string> {
    return waitFor(`${selector} to show ${String(wanted)}`, async () => {
      const [text] = await this.texts(selector);
      if (text !== undefined && wanted.test(text)) return text;
      throw new Error(`Shown: ${text ?? 'nothing'}`);
    });
  }

  /** Returns the attribute’s value for every match. */
  all(selector: string, attribute: string): Promise<string[]> {
    return this.evaluate(
      'return [...document.querySelectorAll(arguments[1])].map((each) => each.getAttribute(arguments[2]));',
      selector,
      attribute,
    );
  }

  /** Clicks the first enabled match. */
  async click(selector: string): Promise<void> {
    await waitFor(`${selector} to click`, () =>
      this.evaluate<boolean>(
        `${CLICK} return click([...document.querySelectorAll(arguments[1])].find(isEnabled));`,
        selector,
      ),
    );
  }

  /** Clicks the enabled button or tab with this name. */
  async press(name: string, role: 'button' | 'tab' = 'button'): Promise<void> {
    await waitFor(`the ${role} ${name}`, () =>
      this.evaluate<boolean>(
        `${CLICK} ${NAME}
        const all = document.querySelectorAll(arguments[2] === 'tab' ? '[role=tab]' : 'button:not([role=tab])');
        return click([...all].find((each) => nameOf(each) === arguments[1] && isEnabled(each)));`,
        name,
        role,
      ),
    );
  }

  /** Whether there is an enabled button with this name. */
  canPress(name: string): Promise<boolean> {
    return this.evaluate(
      `${CLICK} ${NAME} return [...document.querySelectorAll('button:not([role=tab])')].some((each) => nameOf(each) === arguments[1] && isEnabled(each));`,
      name,
    );
  }

  /** Presses a key in the first match. */
  async key(selector: string, key: string): Promise<void> {
    await this.evaluate(
      `const { KeyboardEvent } = document.defaultView;
      document.querySelector(arguments[1]).dispatchEvent(new KeyboardEvent('keydown', { key: arguments[2], bubbles: true, cancelable: true }));`,
      selector,
      key,
    );
  }

  /** Sets a field’s value and fires its input event. */
  async enter(selector: string, text: string): Promise<void> {
    await this.evaluate(
      `${SET}
      set(document.querySelector(arguments[1]), arguments[2], 'input');`,
      selector,
      text,
    );
  }

  /** Chooses the first option of a `<select>` whose value or text is or has this one. */
  async choose(selector: string, option: string): Promise<void> {
    await waitFor(`${option} in ${selector}`, () =>
      this.evaluate<boolean>(
        `${SET}
        const select = document.querySelector(arguments[1]);
        const found = [...(select?.options ?? [])].find((each) => each.value === arguments[2] || each.textContent.includes(arguments[2]));
        if (found) set(select, found.value, 'change');
        return Boolean(found);`,
        selector,
        option,
      ),
    );
  }

  /** Replaces the whole text of the field with this name, which can be a code editor. */
  async fill(name: string, text: string): Promise<void> {
    await waitFor(`the field ${name}`, () =>
      this.evaluate<boolean>(
        `${EDIT}
        const field = fieldOf(arguments[1]);
        if (field) edit(field, arguments[2]);
        return field !== null;`,
        name,
        text,
      ),
    );
  }

  /** Replaces every occurrence of `from` in the field with this name, which can be a code editor. */
  async replace(name: string, from: string, to: string): Promise<void> {
    await waitFor(`${from} in the field ${name}`, () =>
      this.evaluate<boolean>(
        `${EDIT}
        const field = fieldOf(arguments[1]);
        const text = field ? textOf(field) : '';
        const has = text.includes(arguments[2]);
        if (has) edit(field, text.replaceAll(arguments[2], () => arguments[3]));
        return has;`,
        name,
        from,
        to,
      ),
    );
  }

  /** Picks from the context menu of the first match, once the menu’s item is enabled. */
  async menu(selector: string, action: string): Promise<void> {
    await this.pick(action, () =>
      this.evaluate(
        `const { MouseEvent } = document.defaultView;
        document.querySelector(arguments[1])?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 20, clientY: 20 }));`,
        selector,
      ),
    );
  }

  /**
   * Picks from a menu of actions, once its item is enabled.
   * @param open opens the menu
   */
  async pick(action: string, open: () => Promise<void>): Promise<void> {
    await waitFor(`${action} in the menu`, async () => {
      await open();
      return this.evaluate<boolean>(
        `${CLICK} const found = [...document.querySelectorAll('[role=menuitem]')].find((each) => each.textContent.includes(arguments[1]) && isEnabled(each));
        if (!found) document.querySelector('[role=menu]')?.hidePopover();
        return click(found);`,
        action,
      );
    });
  }

  /** Gives a file to the field with this label. */
  async giveFile(label: string, name: string, text: string): Promise<void> {
    await waitFor(`the field ${label}`, () =>
      this.evaluate<boolean>(
        `const field = document.querySelector('input[type=file][aria-label="' + arguments[1] + '"]');
        if (!field) return false;
        const { DataTransfer, Event, File } = document.defaultView;
        const given = new DataTransfer();
        given.items.add(new File([arguments[3]], arguments[2], { type: 'application/json' }));
        field.files = given.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
        return true;`,
        label,
        name,
        text,
      ),
    );
  }
}
