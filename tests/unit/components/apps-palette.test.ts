/** Tests that the colors of charts can be distinguished with every kind of color vision. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { styleOf } from '../../../components/panel/apps/charts/series-style.ts';

const TOKENS = readFileSync(resolve(import.meta.dirname, '../../../assets/tokens.css'), 'utf8');

type Rgb = [number, number, number];

/** Linear RGB of each token, in the order of the themes: light, dark by preference, dark by DevTools. */
const THEMES = TOKENS.split(/^\s*:root/m)
  .slice(1)
  .map((text) => (name: string): Rgb => {
    const hex = new RegExp(`${name}: #([0-9a-f]{6});`).exec(text)?.[1];
    if (!hex) throw new Error(`${name} has no color.`);
    return [0, 2, 4].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255)) as Rgb;
  });
const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const luminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;
/** WCAG 2.2, "contrast ratio". */
function contrast(a: Rgb, b: Rgb): number {
  const [low, high] = [luminance(a), luminance(b)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The color as a dichromat sees it: Machado, Oliveira and Fernandes (2009), severity 1. */
const VISIONS = {
  full: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};
function seen(vision: keyof typeof VISIONS, [r, g, b]: Rgb): Rgb {
  const m = VISIONS[vision];
  return [0, 3, 6].map((at) => Math.min(1, Math.max(0, m[at]! * r + m[at + 1]! * g + m[at + 2]! * b))) as Rgb;
}

/** Lightness and the two color axes of OKLab, in which equal distances look equal. */
function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** For comparison, the two closest colors of the Okabe–Ito palette, over all kinds of vision, differ by 0.076. */
const LEAST = 0.1;
const LOOKS = Array.from({ length: 8 }, (_, index) => styleOf(index));

describe.each([
  ['light', 0],
  ['dark', 1],
  ['dark by DevTools', 2],
] as const)('the palette, %s', (_, theme) => {
  const token = THEMES[theme]!;

  it('has a contrast of 3:1 to the background and to raised surfaces', () => {
    for (const { color } of LOOKS)
      for (const ground of ['--bg', '--surface'])
        expect([color, ground, contrast(token(color), token(ground)) >= 3]).toEqual([color, ground, true]);
  });

  it.each(Object.keys(VISIONS) as (keyof typeof VISIONS)[])(
    'keeps any two of its colors distinguishable: %s',
    (vision) => {
      const colors = LOOKS.map(({ color }) => oklab(seen(vision, token(color))));
      const close = colors
        .flatMap((one, index) =>
          colors
            .slice(index + 1)
            .map((other, next) => ({ pair: `${index + 1} ${index + next + 2}`, apart: distance(one, other) })),
        )
        .filter(({ apart }) => apart < LEAST);
      expect(close).toEqual([]);
    },
  );
});

it('also distinguishes series by dashes, which repeat only after four series', () => {
  const dashes = [...LOOKS, styleOf(8)].map(({ dash }) => dash.join(' '));
  expect(new Set(dashes.slice(0, 4)).size).toBe(4);
  expect(dashes.slice(4, 8)).toEqual(dashes.slice(0, 4));
  expect(dashes.slice(0, 8)).not.toContain(dashes[8]);
});
