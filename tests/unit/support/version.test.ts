import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { readVersioned, withVersion } from '../../support/version.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(resolve(ROOT, path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

const TEXTS = {
  'package.json': '{"version": "2.0.0"}',
  'package-lock.json': JSON.stringify({
    version: '1.0.0',
    packages: {
      '': { version: '1.0.0' },
      'lib/one': { version: '1.0.0' },
      'lib/two': { version: '1.0.0', dependencies: { '@x/one': '1.0.0' } },
    },
  }),
  'lib/one/package.json': '{"name": "@x/one", "version": "1.0.0", "dependencies": {"other": "1.0.0"}}',
  'lib/two/package.json': '{"name": "two", "version": "1.0.0", "dependencies": {"@x/one": "1.0.0"}}',
  'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n### Added\n- More.\n\n## [1.0.0] - 2026-01-01\n',
};

test('workspaces, lockfile, and changelog have the version of the repository', () => {
  const texts = readVersioned();
  expect(Object.keys(texts)).toEqual(expect.arrayContaining(['lib/cli/package.json', 'lib/pipeline/package.json']));
  expect(withVersion(texts, '2026-01-01')).toEqual(texts);
});

test('the changelog’s newest release is the version of the repository', () => {
  expect(/^## \[(\d.*)\] - \d{4}-\d\d-\d\d$/m.exec(read('CHANGELOG.md'))?.[1]).toBe(version);
});

test('docs name no other version of a package', () => {
  const named = globSync(['*.md', 'lib/**/*.md', 'assets/**/*.md'], { cwd: ROOT, exclude: ['**/node_modules/**'] })
    .flatMap((path) => [...read(path).matchAll(/\bplatform-devtools(?:\/\w+)?(?:@|-(?=\d))(\d+\.\d+\.\d+)/g)])
    .map(([, named]) => named);
  expect(named.filter((named) => named !== version)).toEqual([]);
});

test('a new version reaches every workspace, what they depend on among themselves, and the lockfile', () => {
  const updated = withVersion(TEXTS, '2026-02-03');
  const parsed = (path: string): unknown => JSON.parse(updated[path]!);
  expect(parsed('lib/one/package.json')).toMatchObject({ version: '2.0.0', dependencies: { other: '1.0.0' } });
  expect(parsed('lib/two/package.json')).toMatchObject({ version: '2.0.0', dependencies: { '@x/one': '2.0.0' } });
  expect(parsed('package-lock.json')).toEqual({
    version: '2.0.0',
    packages: {
      '': { version: '2.0.0' },
      'lib/one': { version: '2.0.0' },
      'lib/two': { version: '2.0.0', dependencies: { '@x/one': '2.0.0' } },
    },
  });
});

test('a new version gets what was unreleased, once', () => {
  const updated = withVersion(TEXTS, '2026-02-03');
  expect(updated['CHANGELOG.md']).toBe(
    '# Changelog\n\n## [Unreleased]\n\n## [2.0.0] - 2026-02-03\n\n### Added\n- More.\n\n## [1.0.0] - 2026-01-01\n',
  );
  expect(withVersion(updated, '2026-02-04')).toEqual(updated);
});

test('a version without changes, or with a workspace that isn’t installed, is refused', () => {
  const unchanged = { ...TEXTS, 'CHANGELOG.md': '# Changelog\n\n## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n' };
  expect(() => withVersion(unchanged, '2026-02-03')).toThrow('nothing under ## [Unreleased]');
  const added = { ...TEXTS, 'lib/three/package.json': '{"name": "three", "version": "1.0.0"}' };
  expect(() => withVersion(added, '2026-02-03')).toThrow('Run npm install first');
});
