import { createHash } from 'node:crypto';
import { unzipSync } from 'fflate';
import { afterEach, expect, test, vi } from 'vitest';
import { type Files, zip } from '../../../../lib/browser-driver/store/zip.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const FILES: Files = new Map([
  ['manifest.json', bytes('{"manifest_version":3}')],
  ['chunks/panel.js', bytes('export const panel = "Platform";\n'.repeat(5_000))],
  ['Icon.png', Uint8Array.from({ length: 3_000 }, (_, index) => (index * 2_654_435_761) >>> 13)],
  ['docs/größe.html', bytes('')],
]);
const sha256 = (archive: Uint8Array): string => createHash('sha256').update(archive).digest('hex');

afterEach(() => vi.unstubAllEnvs());

test('an archive holds what it was given', () => {
  expect(new Map(Object.entries(unzipSync(zip(FILES))))).toEqual(FILES);
});

test('entries are sorted by code unit, whatever order they come in', () => {
  const reversed = new Map([...FILES].reverse());
  expect(Object.keys(unzipSync(zip(reversed)))).toEqual([
    'Icon.png',
    'chunks/panel.js',
    'docs/größe.html',
    'manifest.json',
  ]);
  expect(zip(reversed)).toEqual(zip(FILES));
});

test.each(['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'])('an archive has the same bytes in %s', (zone) => {
  vi.stubEnv('TZ', zone);
  expect(sha256(zip(FILES))).toBe('5b2e6b8ec4cd23cd3a3a19010fce918d56e5967344d7933aef2afb9af4da6160');
});
