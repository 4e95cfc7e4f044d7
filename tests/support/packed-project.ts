/** An empty project with our npm packages, packed and installed as their users have them. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { lock } from 'proper-lockfile';
import { filesOfProject } from './packed-lock.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const BIN = join(ROOT, 'node_modules/.bin');
const RESULTS = join(ROOT, 'test-results');
/** Of the installed packages, so that they don’t write to the user’s. */
const CACHE = join(ROOT, 'node_modules/.cache/installed');
/** Until the other process is done. */
const RETRIES = { forever: true, minTimeout: 100, maxTimeout: 1_000 };

export interface PackedProject {
  folder: string;
  /** The file of each package, by its folder in `lib`. */
  tarballs: ReadonlyMap<string, string>;
  /** Resolves with the command’s output, and rejects with it when the command fails. */
  run(command: string, args: string[], cwd?: string): Promise<string>;
  /** Runs the tests in a folder of the project, which has Vitest. */
  test(folder: string): Promise<string>;
  remove(): Promise<void>;
}

/** What `npm pack` prints for each package. */
interface Packed {
  name: string;
  filename: string;
}

export async function packedProject(packages: readonly string[]): Promise<PackedProject> {
  const folder = await mkdtemp(join(tmpdir(), 'packages-'));
  // Other users can use it, as some tests do.
  await chmod(folder, 0o755);
  const tarballs = await packed(packages, folder);
  for (const [name, text] of Object.entries(await filesOfProject(tarballs))) await writeFile(join(folder, name), text);
  // What isn’t in npm’s cache is downloaded.
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  await symlink(join(ROOT, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
  return {
    folder,
    tarballs,
    run: (command, args, cwd = folder) => run(command, args, cwd),
    test: (name) => run('vitest', ['run', '--no-color', '--root', join(folder, name)], join(folder, name)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Builds the packages, and packs them into the folder. */
async function packed(packages: readonly string[], folder: string): Promise<Map<string, string>> {
  await mkdir(RESULTS, { recursive: true });
  // Another process could build the same files while this one packs them.
  const release = await lock(RESULTS, { lockfilePath: join(RESULTS, 'packages.lock'), retries: RETRIES });
  try {
    await Promise.all(packages.map((name) => run('npm', ['run', 'build'], join(ROOT, 'lib', name))));
    const workspaces = packages.flatMap((name) => ['--workspace', `lib/${name}`]);
    const options = ['--ignore-scripts', '--json', '--pack-destination', folder];
    const printed = await run('npm', ['pack', ...workspaces, ...options], ROOT);
    const all = Object.values(JSON.parse(printed) as Record<string, Packed>);
    const files = new Map(all.map(({ name, filename }) => [name, join(folder, filename)]));
    return new Map(
      await Promise.all(packages.map(async (name) => [name, files.get(await packageName(name))!] as const)),
    );
  } finally {
    await release();
  }
}

/** @param workspace a folder in `lib` */
async function packageName(workspace: string): Promise<string> {
  const text = await readFile(join(ROOT, 'lib', workspace, 'package.json'), 'utf8');
  return (JSON.parse(text) as { name: string }).name;
}

/** The environment variables of commands in the project: this machine’s Node could be older than the repository’s. */
export const projectEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env.PATH}`,
  NODE_OPTIONS: '',
  XDG_CACHE_HOME: CACHE,
});

async function run(command: string, args: string[], cwd: string): Promise<string> {
  try {
    return (await promisify(execFile)(command, args, { cwd, env: projectEnvironment() })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
