/** Tests what the environment form accepts as page URLs. */
import { expect, it } from 'vitest';
import { draftOf, emptyDraft, readDraft } from '../../../../lib/extension/options/draft.ts';

const read = (pageUrls: string) =>
  readDraft({ ...emptyDraft('custom'), name: 'A', baseUrl: 'https://api.example.com', pageUrls });

it('reads page URLs that are separated by spaces or lines, without trailing slashes', () => {
  const text = ' https://apps.example.com/  https://desk.example.com/app/\nlocalhost:3000 ';
  const pageUrls = ['https://apps.example.com', 'https://desk.example.com/app', 'http://localhost:3000'];
  expect(read(text)).toMatchObject({ ok: true, input: { pageUrls } });
  expect(draftOf({ ...emptyDraft('custom'), id: 'e', pageUrls } as never).pageUrls).toBe(pageUrls.join(' '));
});

it('has no page URLs by default', () => {
  expect(read('  ')).toMatchObject({ ok: true, input: { pageUrls: [] } });
  expect(draftOf({ ...emptyDraft('custom'), id: 'e', pageUrls: undefined } as never).pageUrls).toBe('');
});

it.each([
  ['apps', 'Enter a full URL, such as https://api.example.com.'],
  ['https://apps.example.com apps.example.com', 'Enter a full URL, such as https://apps.example.com.'],
  ['http://apps.example.com', 'Use https. Only localhost and 127.0.0.1 allow http.'],
  [
    'https://a:b@apps.example.com',
    'Enter only the scheme, host, port, and path, without a username, a password, ?, or #.',
  ],
  [
    'https://apps.example.com/?a',
    'Enter only the scheme, host, port, and path, without a username, a password, ?, or #.',
  ],
  [
    Array.from({ length: 11 }, (_, n) => `https://a${n}.example.com`).join(' '),
    'An environment is limited to 10 page URLs.',
  ],
])('refuses “%s” as page URLs', (text, problem) => {
  expect(read(text)).toMatchObject({ ok: false, problems: { pageUrls: problem } });
});
