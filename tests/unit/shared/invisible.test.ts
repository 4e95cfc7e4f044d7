/** What no reader sees is shown as escapes. */
import { expect, it } from 'vitest';
import { visible } from '../../../lib/shared/invisible.ts';

it.each([
  ['controls', 'a\u0000\u001b[2J\r\u0085b', String.raw`a\u0000\u001b[2J\u000d\u0085b`],
  ['bidi characters', 'a\u202eb\u2066c\u200e\u061c', String.raw`a\u202eb\u2066c\u200e\u061c`],
  ['zero-width characters', 'a\u200bb\u2060c\ufeff\u200d', String.raw`a\u200bb\u2060c\ufeff\u200d`],
  ['soft hyphens', 'a\u00adb', String.raw`a\u00adb`],
  ['tag characters', 'a\u{e0041}b', String.raw`a\udb40\udc41b`],
  ['variation selectors', 'a\u{e0100}b\ufe0f', String.raw`a\udb40\udd00b\ufe0f`],
  ['line separators', 'a\u2028b\u2029', String.raw`a\u2028b\u2029`],
  ['fillers', 'a\u3164b\uffa0', String.raw`a\u3164b\uffa0`],
  ['private use', 'a\ue000b', String.raw`a\ue000b`],
  ['tags after an emoji', '🏴\u{e0041}\u{e007f}', String.raw`🏴\udb40\udc41\udb40\udc7f`],
  ['joiners between letters and emoji', '1\u200d👩\u200da', String.raw`1\u200d👩\u200da`],
])('shows %s as escapes', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
  // As JSON does, so that JSON keeps its value.
  expect(JSON.parse(`"${visible(text)}"`)).toBe(text);
});

it('leaves tabs, line breaks, letters of all languages, and emoji', () => {
  const flag = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';
  const text = `a\n\tÜber 日本語 עברית 🙂 ❤\ufe0f 👩\u200d👩\u200d👧 👍🏽 🇩🇪 1\ufe0f\u20e3 ${flag}`;
  expect(visible(text)).toBe(text);
});
