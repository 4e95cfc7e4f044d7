/** Builds the packages for the stores, checks their bytes, and starts what is in them. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { FirefoxPanel } from '../../../../lib/browser-driver/firefox/panel-page.ts';
import { PopupPage } from '../../../../lib/browser-driver/pages/popup-page.ts';
import { ScriptedRun } from '../../../../lib/browser-driver/pages/scripted-run.ts';
import { filesIn } from '../../../../lib/browser-driver/store/files.ts';
import { packageExtension, type StorePackage } from '../../../../lib/browser-driver/store/package.ts';
import type { Files } from '../../../../lib/browser-driver/store/zip.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { compileUrl } from '../../../../lib/platform-api/index.ts';
import { startFirefoxBed } from '../../../support/firefox-bed.ts';
import { unpack } from '../../../support/store-package.ts';
import { findAction, startTestBed } from '../../../support/test-bed.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const OUTPUT = `test-results/store-${process.pid}`;
/** Files of the repository that the package of sources leaves out. */
const NO_SOURCES = /^(?:tests|\.ci)\/|^assets\/(?:store\/)?pictures\/|^\.(?:git|ox)[\w.-]+$|^vitest\.config\.ts$/;

/** web-ext lint and two builds take minutes on a busy machine. */
const LONG = 300_000;

let temporary: string;
let packages: StorePackage[];
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'platform-devtools-store-'));
  packages = await packageExtension(OUTPUT);
}, LONG);
afterAll(async () => {
  await rm(temporary, { recursive: true, force: true });
  await rm(resolve(ROOT, OUTPUT), { recursive: true, force: true });
});

const packageFor = (target: StorePackage['target']): StorePackage => packages.find((one) => one.target === target)!;
const filesFor = async (target: StorePackage['target']): Promise<Record<string, Uint8Array>> =>
  unzipSync(await readFile(packageFor(target).path));

interface Manifest {
  version: string;
  update_url?: string;
  key?: string;
}
/** Of web-ext. */
interface Finding {
  code: string;
  file: string;
}

test('the unpacked sources build the same packages, and the same sources', { timeout: LONG }, async () => {
  const sources = await unpack(await readFile(packageFor('firefox-sources').path), join(temporary, 'sources'));
  await symlink(resolve(ROOT, 'node_modules'), join(sources, 'node_modules'), 'dir');
  const env = { ...process.env, TZ: 'Pacific/Kiritimati', NODE_ENV: undefined };
  await promisify(execFile)(process.execPath, ['lib/browser-driver/store/package.ts'], { cwd: sources, env });
  for (const { path, sha256 } of packages) {
    const archive = await readFile(join(sources, '.output/store', basename(path)));
    expect(createHash('sha256').update(archive).digest('hex'), basename(path)).toBe(sha256);
  }
});

test('the same sources build the same bytes in any folder', async () => {
  const digestsOf = (files: Files): string[] =>
    [...files].map(([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')} ${name}`).sort();
  for (const [target, folder] of [
    ['chrome', inject('chromeExtension')],
    ['firefox', inject('firefoxExtension')],
  ] as const)
    expect(digestsOf(new Map(Object.entries(await filesFor(target)))), target).toEqual(
      digestsOf(await filesIn(folder)),
    );
});

test('the sources are the repository’s files without tests and pictures', async () => {
  const listed = await promisify(execFile)('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  const expected = listed.stdout.split('\n').filter((path) => path !== '' && !NO_SOURCES.test(path));
  expect(Object.keys(await filesFor('firefox-sources'))).toEqual(expected.sort());
});

test('Edge gets Chrome’s package, and each package has the version of the repository', async () => {
  expect(packageFor('edge').sha256).toBe(packageFor('chrome').sha256);
  const { version } = JSON.parse(await readFile(resolve(ROOT, 'package.json'), 'utf8')) as { version: string };
  for (const target of ['chrome', 'edge', 'firefox'] as const) {
    expect(basename(packageFor(target).path)).toBe(`platform-devtools-${version}-${target}.zip`);
    const manifest = JSON.parse(new TextDecoder().decode((await filesFor(target))['manifest.json'])) as Manifest;
    expect(manifest.version).toBe(version);
    // The stores refuse these two.
    expect(manifest.update_url).toBeUndefined();
    expect(manifest.key).toBeUndefined();
  }
});

test('packages have only files that a browser loads, without a source map or a path of this machine', async () => {
  for (const target of ['chrome', 'firefox'] as const)
    for (const [name, content] of Object.entries(await filesFor(target))) {
      expect(name).toMatch(/^(?:[\w./-]+\.(?:js|css|html|png)|manifest\.json)$/);
      const written = Buffer.from(content).toString('latin1');
      expect(written, name).not.toContain('sourceMappingURL');
      expect(written, name).not.toContain(ROOT);
    }
});

test(
  'web-ext lint finds no error in Firefox’s package, and warns only of Preact’s unused innerHTML',
  { timeout: LONG },
  async () => {
    const program = 'node_modules/web-ext/bin/web-ext.js';
    const options = ['--source-dir', packageFor('firefox').path, '--output', 'json', '--no-config-discovery'];
    const child = spawn(process.execPath, [program, 'lint', ...options], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([readText(child.stdout), once(child, 'close')]);
    const found = JSON.parse(output.slice(output.indexOf('{'))) as Record<'errors' | 'warnings' | 'notices', Finding[]>;
    expect(found.errors).toEqual([]);
    expect(found.notices).toEqual([]);
    expect(found.warnings.map(({ code, file }) => [code, file])).toEqual([
      // Preact, in the chunk that all pages with a view load.
      ['UNSAFE_VAR_ASSIGNMENT', expect.stringMatching(/^chunks\/app-options-panel-popup-/)],
    ]);
  },
);

test('Chrome’s unpacked package runs an action in the panel, and opens its popup', async () => {
  const extension = await unpack(await readFile(packageFor('chrome').path), join(temporary, 'chrome'));
  const bed = await startTestBed({ browser: { extension } });
  try {
    await bed.enter();
    const popup = await PopupPage.open(bed.extension);
    await waitFor('the apps', async () => /3 apps · Updated/.test(await popup.text()));
    await popup.close();
    const panel = await bed.panel();
    await panel.choose({ environment: 'Local', app: 'Field Service', action: 'notify-admins' });
    await panel.open();
    expect(await panel.run()).toBe('completed');
  } finally {
    await bed.close();
  }
});

test('Firefox’s package opens its popup, and runs an action in the panel', async () => {
  const bed = await startFirefoxBed({ extension: packageFor('firefox').path });
  try {
    await (await bed.openOptions()).addEnvironment('Local', bed.platform.baseUrl, bed.platform.authToken);
    const popup = await bed.openPopup();
    await waitFor('the apps', async () => /3 apps · Updated/.test(await popup.text()));
    await popup.close();
    await bed.firefox.navigate('about:blank');
    const panel = await FirefoxPanel.open(bed.firefox);
    await panel.press('Run', 'tab');
    await panel.choose('select[name=environment]', 'Local');
    const { appId, taskId } = findAction(bed.platform, 'notify-admins');
    const run = new ScriptedRun(panel);
    await run.open(compileUrl(bed.platform.baseUrl, appId, taskId));
    expect(await run.run()).toBe('completed');
  } finally {
    await bed.close();
  }
});
