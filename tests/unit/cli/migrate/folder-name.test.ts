/** The folder of an action is safe, whatever its name is. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { folderName } from '../../../../lib/cli/migrate/output/folder-name.ts';
import { anyCharacter } from '../../../support/any-character.ts';

test('a safe name is the name of the folder', () => {
  expect(folderName('notify-admins_2')).toBe('notify-admins_2');
});

test.each([
  ['..', /^action-[\da-f]{8}$/],
  ['../../etc/passwd', /^etc-passwd-[\da-f]{8}$/],
  ['C:\\x', /^c-x-[\da-f]{8}$/],
  ['con', /^con-[\da-f]{8}$/],
  ['Überweisung an Max', /^berweisung-an-max-[\da-f]{8}$/],
  ['', /^action-[\da-f]{8}$/],
  ['a\0b\n', /^a-b-[\da-f]{8}$/],
  ['x'.repeat(300), /^x{71}-[\da-f]{8}$/],
])('%j gets a safe name', (name, pattern) => expect(folderName(name)).toMatch(pattern));

test('names that differ only in case get different folders', () => {
  expect(folderName('Report').toLowerCase()).not.toBe(folderName('report'));
});

test('any name is one short part of a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      expect(folderName(name)).toMatch(/^[a-z\d][a-z\d_-]{0,79}$/);
    }),
  );
});
