/** Checks the built extension: permissions, content security policy, unsafe sinks, and size. Reproducible builds are up to the exhaustive tests. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, test } from 'vitest';
import { filesOfPage, gzipped } from '../support/page-size.ts';

const ROOT = resolve(import.meta.dirname, '../..');

interface Manifest {
  permissions: string[];
  optional_permissions: string[];
  host_permissions?: string[];
  optional_host_permissions: string[];
  content_scripts?: unknown;
  externally_connectable?: unknown;
  web_accessible_resources?: unknown;
  content_security_policy: { extension_pages: string };
}
const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as Manifest;
const builds = (): [string, string][] => [
  ['Chromium', inject('chromeExtension')],
  ['Firefox', inject('firefoxExtension')],
];

test('the manifest requests exactly the permissions that the docs explain', async () => {
  const table = await readFile(resolve(ROOT, 'assets/docs/permissions.md'), 'utf8');
  const explained = [...table.matchAll(/^\| `([^`]+)`([^|]*)\|/gm)].map(
    ([, name, rest]) => `${name}${rest?.includes('optional') ? ' (optional)' : ''}`,
  );
  for (const [browser, folder] of builds()) {
    const { permissions, optional_permissions, host_permissions, optional_host_permissions } = await manifestOf(folder);
    expect(
      [
        ...permissions,
        ...[...optional_permissions, ...optional_host_permissions].map((name) => `${name} (optional)`),
      ].sort(),
    ).toEqual(explained.filter((name) => browser === 'Chromium' || name !== 'offscreen').sort());
    expect(host_permissions).toBeUndefined();
  }
});

test('web pages can’t load any of the extension’s files, and extension pages run only their own scripts', async () => {
  for (const [, folder] of builds()) {
    const { content_scripts, externally_connectable, web_accessible_resources, content_security_policy } =
      await manifestOf(folder);
    expect(content_scripts).toBeUndefined();
    expect(externally_connectable).toBeUndefined();
    expect(web_accessible_resources).toBeUndefined();
    const policy = Object.fromEntries(
      content_security_policy.extension_pages
        .split('; ')
        .map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
    );
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    expect(content_security_policy.extension_pages).not.toContain('unsafe');
  }
});

test('no script turns text into markup or code, except Preact’s unused dangerouslySetInnerHTML', async () => {
  const found: string[] = [];
  for (const [browser, folder] of builds()) {
    for (const [name, bytes] of await filesOf(folder)) {
      if (!name.endsWith('.js')) continue;
      for (const [sink] of bytes
        .toString('utf8')
        .matchAll(
          /\.(?:innerHTML|outerHTML|srcdoc)\s*=(?!=)|insertAdjacentHTML|document\.write|createContextualFragment|parseFromString|dangerouslySetInnerHTML=|(?<![\w.])eval\(|new Function\b|(?<![\w.])Function\(|importScripts/g,
        ))
        found.push(`${browser} ${sink}`);
    }
  }
  expect(found).toEqual(['Chromium .innerHTML=', 'Firefox .innerHTML=']);
});

test('each package includes no package but those that it depends on, each with its copyright and license', async () => {
  const { dependencies } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as Dependent;
  const direct = Object.keys(dependencies!).filter((name) => name !== 'esbuild');
  // WXT starts each script.
  const known = new Set([...(await withDependencies(direct)), 'wxt', '@wxt-dev/browser']);
  for (const [, folder] of builds()) {
    const html = await readFile(join(folder, 'docs/licenses.html'), 'utf8');
    const licenses = [...html.matchAll(/^<h2 [^>]*><a [^>]*>(\S+) [^<]+<\/a><\/h2>\n<pre>(.*?)<\/pre>/gms)].map(
      ([, name = '', text = '']) => ({ name, text }),
    );
    const names = licenses.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(direct));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    for (const { name, text } of licenses) {
      // MPL-2.0 is the same text for all.
      if (name !== 'webextension-polyfill') expect(text, name).toMatch(/copyright \(c\) \w/i);
      expect(text, name).toMatch(/Permission (?:is hereby granted|to use)|Mozilla Public License Version 2\.0/);
    }
  }
});

interface Dependent {
  dependencies?: Record<string, string>;
}

/** The packages and all that they depend on. */
async function withDependencies(names: readonly string[]): Promise<Set<string>> {
  const { packages } = JSON.parse(await readFile(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Dependent>;
  };
  const all = new Set(names);
  for (const name of all)
    for (const next of Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {})) all.add(next);
  return all;
}

// Alarms, not targets: every file loads from disk.
test.each([
  { page: 'popup', limit: 50_000 },
  { page: 'panel', limit: 210_000 },
])('the $page opens with at most $limit bytes of compressed scripts', async ({ page, limit }) => {
  for (const [, folder] of builds()) {
    const scripts = await filesOfPage(folder, page, 'js');
    expect(scripts).not.toEqual([]);
    // The document names all of them. Scripts that the browser finds only while loading wouldn't be counted.
    for (const script of scripts)
      for (const imported of importsOf(await readFile(join(folder, script), 'utf8')))
        expect(scripts).toContain(`chunks/${imported}`);
    expect(await gzipped(folder, scripts)).toBeLessThanOrEqual(limit);
  }
});

/** Names of the scripts in the same folder that a script imports statically. */
const importsOf = (script: string): string[] =>
  [...script.matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)].map(([, name = '']) => name);

async function filesOf(folder: string): Promise<[name: string, bytes: Buffer][]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    names.map(async (name) => [name.slice(folder.length + 1), await readFile(name)] as [string, Buffer]),
  );
}
