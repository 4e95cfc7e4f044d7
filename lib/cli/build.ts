/** Builds the npm package: compiles the sources, and adds what they read or bundle when they run. */
import { execFileSync } from 'node:child_process';
import { copyFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { buildExtension } from '../browser-driver/build.ts';

const LIB = resolve(import.meta.dirname, '..');
const DIST = join(LIB, 'cli/dist');
/** What the code reads beside itself. */
const ASSETS = ['local-platform/**/*.{css,js,cjs,sql}', 'local-platform/db/migrations/meta/_journal.json'];
/** Keep what only one of them imports out of the scripts that are bundled for pages, as their own packages do. */
const PURE = { pipeline: false, oauth2: ['**/script.*'] };

await rm(DIST, { recursive: true, force: true });
compile();
await copyAssets();
await writePackageFiles();
await rm(join(DIST, 'browser-driver/build.js'));
await removeUnusedTypes(join(DIST, 'cli/index.d.ts'));
// Instead of the code that builds it.
await buildExtension('chrome', 'lib/cli/dist/extension');

function compile(): void {
  const options = { cwd: join(LIB, 'cli'), stdio: 'inherit', shell: process.platform === 'win32' } as const;
  execFileSync('tsc', ['--project', 'tsconfig.json'], options);
}

/** Rejects if a compiled module has the name of an asset. */
async function copyAssets(): Promise<void> {
  for await (const path of glob(ASSETS, { cwd: LIB })) {
    const target = join(DIST, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(join(LIB, path), target, constants.COPYFILE_EXCL);
  }
}

async function writePackageFiles(): Promise<void> {
  for (const [folder, sideEffects] of Object.entries(PURE))
    await writeFile(join(DIST, folder, 'package.json'), JSON.stringify({ type: 'module', sideEffects }));
}

/** Keeps the declarations that the package’s own ones import. The others would need packages that users don’t have. */
async function removeUnusedTypes(entry: string): Promise<void> {
  const used = new Set<string>();
  await addImports(entry, used);
  for await (const path of glob('**/*.d.ts', { cwd: DIST }))
    if (!used.has(join(DIST, path))) await rm(join(DIST, path));
}

async function addImports(file: string, used: Set<string>): Promise<void> {
  if (used.has(file)) return;
  used.add(file);
  for (const [, path = ''] of (await readFile(file, 'utf8')).matchAll(
    /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.ts['"]/g,
  ))
    await addImports(resolve(dirname(file), `${path}.d.ts`), used);
}
