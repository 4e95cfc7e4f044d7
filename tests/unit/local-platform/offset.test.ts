import { describe, expect, it } from 'vitest';
import { offsetOf, withOffset } from '../../../lib/local-platform/apps/sessions/offset.ts';

const NOW = new Date('2026-11-20T00:00:00Z');

describe('withOffset', () => {
  it.each([
    [0, '2026-11-20T00:00:00+00:00'],
    [330, '2026-11-20T05:30:00+05:30'],
    [-300, '2026-11-19T19:00:00-05:00'],
  ])('writes %i minutes as a numeric offset of the same instant, and offsetOf reads them', (minutes, text) => {
    expect(withOffset(NOW, minutes)).toBe(text);
    expect(Date.parse(text)).toBe(NOW.getTime());
    expect(offsetOf(text)).toBe(minutes);
  });
});

it.each([null, undefined, '', 'yesterday', '2026-11-20T00:00:00.000Z', '2026-11-20T00:00:00+99:99'])(
  'offsetOf takes %s as UTC',
  (text) => expect(offsetOf(text)).toBe(0),
);
