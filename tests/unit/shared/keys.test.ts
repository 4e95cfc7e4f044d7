// @vitest-environment happy-dom
/** Reads key presses: what reaches the handlers of a surface, and letters on other keyboard layouts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardKeys, isCommandEnter, isCommandS, isLetter } from '../../../lib/shared/keys.ts';

let heard: string[];
let stop: () => void;
const onKey = ({ key }: KeyboardEvent): void => void heard.push(key);
beforeEach(() => {
  heard = [];
  document.body.innerHTML = '<input><textarea></textarea><div contenteditable><b>x</b></div><button>Run</button>';
  stop = guardKeys(window);
  // The earliest that any other handler can hear it.
  document.addEventListener('keydown', onKey, { capture: true });
});
afterEach(() => {
  stop();
  document.removeEventListener('keydown', onKey, { capture: true });
});

/** Presses a key in an element. Returns whether the browser still does what it does by default. */
function press(selector: string, key: string, more: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  return document.querySelector(selector)!.dispatchEvent(event);
}

describe('an input method', () => {
  it('keeps its keys, such as Enter for a word, and the browser still handles them', () => {
    expect(press('input', 'Enter', { isComposing: true })).toBe(true);
    expect(press('textarea', 'Enter', { isComposing: true, ctrlKey: true })).toBe(true);
    expect(press('input', 'Process', { keyCode: 229 })).toBe(true);
    expect(press('input', 'Enter', { keyCode: 229 })).toBe(true);
    expect(heard).toEqual([]);
    press('input', 'Enter', { keyCode: 13 });
    expect(heard).toEqual(['Enter']);
  });
});

describe('a held key', () => {
  const held = { repeat: true };

  it('runs a command once', () => {
    press('textarea', 'Enter', { ctrlKey: true });
    expect(heard).toEqual(['Enter']);
    for (const [where, key, more] of [
      ['textarea', 'Enter', { ctrlKey: true }],
      ['b', 'Enter', { metaKey: true }],
      ['input', 'Enter', {}],
      ['button', 'Enter', {}],
      ['input', 's', { ctrlKey: true, code: 'KeyS' }],
      ['button', 'F8', {}],
      ['button', 'Escape', {}],
      ['button', 'Delete', {}],
    ] as const)
      expect([key, press(where, key, { ...held, ...more })]).toEqual([key, false]);
    expect(heard).toEqual(['Enter']);
  });

  it('moves, types, and deletes text', () => {
    for (const [where, key] of [
      ['button', 'ArrowDown'],
      ['textarea', 'Enter'],
      ['b', 'Enter'],
      ['input', 'Delete'],
      ['button', 'n'],
    ] as const)
      expect([key, press(where, key, held)]).toEqual([key, true]);
    expect(press('textarea', 'z', { ...held, ctrlKey: true })).toBe(true);
    expect(heard).toEqual(['ArrowDown', 'Enter', 'Enter', 'Delete', 'n', 'z']);
  });
});

describe('a letter', () => {
  it.each([
    ['s', 'KeyS', true],
    ['S', 'KeyS', true],
    ['ы', 'KeyS', true],
    ['σ', 'KeyS', true],
    // Dvorak.
    ['s', 'Semicolon', true],
    ['o', 'KeyS', false],
    ['ö', 'Semicolon', false],
    ['Shift', 'ShiftLeft', false],
  ])('is found on any layout: %s at %s', (key, code, expected) => expect(isLetter({ key, code }, 'S')).toBe(expected));

  it('saves with Ctrl or ⌘, but not with AltGr', () => {
    const s = { key: 'ы', code: 'KeyS', ctrlKey: false, metaKey: false, altKey: false };
    expect(isCommandS(s)).toBe(false);
    expect(isCommandS({ ...s, ctrlKey: true })).toBe(true);
    expect(isCommandS({ ...s, metaKey: true })).toBe(true);
    expect(isCommandS({ ...s, ctrlKey: true, altKey: true })).toBe(false);
    expect(isCommandEnter({ key: 'Enter', ctrlKey: false, metaKey: true })).toBe(true);
    expect(isCommandEnter({ key: 'Enter', ctrlKey: false, metaKey: false })).toBe(false);
  });
});
