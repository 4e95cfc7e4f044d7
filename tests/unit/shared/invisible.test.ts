/** Text of others is shown with its invisible characters as escapes. */
import { describe, expect, it } from 'vitest';
import { visible } from '../../../lib/shared/invisible.ts';

describe('an invisible character', () => {
  it.each([
    ['overrides the direction', 'exe.\u202efdp', String.raw`exe.\u202efdp`],
    ['isolates a direction', 'a\u2066b\u2069', String.raw`a\u2066b\u2069`],
    ['has no width', 'E\u200bU', String.raw`E\u200bU`],
    ['joins what isn’t joined', 'E\u200dU', String.raw`E\u200dU`],
    ['separates Latin letters', 'E\u200cU', String.raw`E\u200cU`],
    ['starts a file', '\ufeffEU', String.raw`\ufeffEU`],
    ['may break a word', 'E\u00adU', String.raw`E\u00adU`],
    ['is a letter without a shape', 'EU\u3164', String.raw`EU\u3164`],
    ['is a blank of Braille', 'EU\u2800', String.raw`EU\u2800`],
    ['ends a string of C', 'EU\0', String.raw`EU\u0000`],
    ['commands a terminal', '\u001b[2J\u009b2J', String.raw`\u001b[2J\u009b2J`],
    ['returns to the start of the line', 'good\rbad', String.raw`good\u000dbad`],
    ['separates lines', 'a\u2028b\u2029c', String.raw`a\u2028b\u2029c`],
    ['is a tag above U+FFFF', 'a\u{e0041}', String.raw`a\udb40\udc41`],
    ['is for private use', 'a\ue000b', String.raw`a\ue000b`],
    ['is a tag after an emoji', '🏴\u{e0041}\u{e007f}', String.raw`🏴\udb40\udc41\udb40\udc7f`],
    ['joins letters and emoji', '1\u200d👩\u200da', String.raw`1\u200d👩\u200da`],
    ['selects a variation of a letter', 'a\ufe0f', String.raw`a\ufe0f`],
  ])('that %s becomes an escape', (_what, text, shown) => {
    expect(visible(text)).toBe(shown);
    // As JSON does, so that JSON keeps its value.
    if (!/[\n\t]/.test(text)) expect(JSON.parse(`"${visible(text)}"`)).toBe(text);
  });
});

it.each([
  'Platform DevTools',
  'two\nlines\r\nand a\ttab',
  'Čeština, 日本語, עברית, العربية',
  'می\u200cخواهم',
  'क्\u200dष',
  '👩\u200d💻 ❤\ufe0f 👍🏽 🇪🇺 1\ufe0f\u20e3',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
])('%s stays as it is', (text) => {
  expect(visible(text)).toBe(text);
});

it('hides nothing behind an emoji', () => {
  expect(visible('👍\u202e👩\u200d')).toBe(String.raw`👍\u202e👩\u200d`);
});
