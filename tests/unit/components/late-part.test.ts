// @vitest-environment happy-dom
/** Owns the proof that a part which is loaded late has its styles first, and can be asked for again when they did not come. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadPart } from '../../../components/ui/late-part.ts';

let added: HTMLLinkElement[];
beforeEach(() => {
  added = [];
  // What loads, and when, is told by the test.
  vi.spyOn(document.head, 'append').mockImplementation((link) => void added.push(link as HTMLLinkElement));
});
afterEach(() => vi.restoreAllMocks());
const settled = () => new Promise((resolve) => setTimeout(resolve));
const load = vi.fn(() => Promise.resolve('the part'));

it('a part without styles is loaded at once', async () => {
  expect(await loadPart(load)).toBe('the part');
  expect(added).toEqual([]);
});

it('a part is loaded when all its styles are there, which are added once', async () => {
  load.mockClear();
  const first = loadPart(load, ['assets/a.css', 'assets/b.css']);
  const second = loadPart(load, ['assets/b.css']);
  expect(added.map((link) => [link.rel, link.getAttribute('href')])).toEqual([
    ['stylesheet', '/assets/a.css'],
    ['stylesheet', '/assets/b.css'],
  ]);
  added[0]?.dispatchEvent(new Event('load'));
  await settled();
  expect(load).not.toHaveBeenCalled();
  added[1]?.dispatchEvent(new Event('load'));
  expect(await Promise.all([first, second])).toEqual(['the part', 'the part']);
  expect(await loadPart(load, ['assets/a.css'])).toBe('the part');
  expect(added).toHaveLength(2);
});

it('styles that the page has brought itself are not added', async () => {
  const own = document.createElement('link');
  own.setAttribute('href', '/assets/own.css');
  document.head.insertBefore(own, null);
  expect(await loadPart(load, ['assets/own.css'])).toBe('the part');
  expect(added).toEqual([]);
});

it('a part whose styles cannot be loaded is not loaded, and asks for them anew the next time', async () => {
  load.mockClear();
  const failed = loadPart(load, ['assets/gone.css']);
  added[0]?.dispatchEvent(new Event('error'));
  await expect(failed).rejects.toThrow('assets/gone.css could not be loaded.');
  expect(load).not.toHaveBeenCalled();
  const again = loadPart(load, ['assets/gone.css']);
  added[1]?.dispatchEvent(new Event('load'));
  expect(await again).toBe('the part');
});
