/** Parsing links to an app’s own page. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { appLink, publishLink, readAppLink } from '../../../lib/extension/messaging/model/app-link.ts';
import { anyCharacter } from '../../support/any-character.ts';

const query = (path: string) => new URL(path, 'chrome-extension://ours/').search;

it('parses back to what it was made of, for any environment ID', () => {
  const id = fc.string({ minLength: 1, unit: anyCharacter });
  const whole = fc.integer({ min: 0, max: 10 ** 15 - 1 });
  fc.assert(
    fc.property(id, whole, fc.option(whole), (environmentId, appId, version) => {
      const path = appLink({ environmentId, appId, version });
      expect(path).toMatch(/^app\.html\?/);
      expect(readAppLink(query(path))).toEqual({ environmentId, appId, version });
      const publish = publishLink({ environmentId, appId });
      expect(publish).toMatch(/^popup\.html\?/);
      expect(readAppLink(query(publish))).toEqual({ environmentId, appId, version: null });
    }),
  );
});

it.each([
  '',
  '?environment=e',
  '?app=7',
  '?environment=&app=7',
  '?environment=e&app=',
  '?environment=e&app=-7',
  '?environment=e&app=7.5',
  '?environment=e&app=7e3',
  `?environment=e&app=${'9'.repeat(400)}`,
])('doesn’t find an app in %s', (query) => expect(readAppLink(query)).toBeNull());

it.each(['&version=', '&version=x', '&version=-1', ''])('doesn’t find a version in %s', (rest) =>
  expect(readAppLink(`?environment=e&app=7${rest}`)).toEqual({ environmentId: 'e', appId: 7, version: null }),
);
