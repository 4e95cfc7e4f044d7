/** Checks installed packages: licenses, install scripts, origins, and known vulnerabilities. `--write` rewrites LICENCES.md. */
import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../..');
const LIST = resolve(ROOT, 'LICENCES.md');
/** Permissive licenses; MPL-2.0 only covers its own files, which are used unchanged. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
]);
/** It checks that its binary for this machine is installed. */
const MAY_RUN_ON_INSTALLING = new Set(['esbuild']);
const REGISTRY = 'https://registry.npmjs.org/';
const AUDIT_LIMIT = 60_000;
/** The exit code when everything that could be checked is in order (run-tests.ts). */
const NOT_CHECKED = 3;

interface Locked {
  version: string;
  /** Absent for the configured registry. */
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  hasInstallScript?: boolean;
  link?: boolean;
}

const { packages } = JSON.parse(await readFile(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
/** Without the project and its workspaces, which may have packages of their own. */
const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

const problems: string[] = [];
for (const [path, { hasInstallScript, resolved, integrity }] of installed) {
  if (hasInstallScript && !MAY_RUN_ON_INSTALLING.has(nameOf(path)))
    problems.push(`${path} runs a script on installing. Look at what it does before it is allowed.`);
  if (!integrity || (resolved !== undefined && !resolved.startsWith(REGISTRY)))
    problems.push(`${path} is not from the registry with a checksum.`);
}

/** What users get, by license. Optional packages differ by machine: for them the lockfile counts, and they aren’t listed. */
const byLicence = new Map<string, Set<string>>();
for (const [path, { dev, optional, license, version }] of installed) {
  if (dev) continue;
  const licence = optional ? license : await licenceOf(path);
  if (!isAllowed(licence))
    problems.push(`${path} has the licence ${licence ?? '(none)'}, which is not among those that are allowed.`);
  else if (!optional) byLicence.set(licence, (byLicence.get(licence) ?? new Set()).add(`${nameOf(path)} ${version}`));
}
const list = `# Licences of the packages in use\n\nWhat the extension, the command line, and the local platform are built of, tools for development apart. Written by \`node tests/support/dependencies.ts --write\`, compared in every test run.\n${[
  ...byLicence,
]
  .sort(byName)
  .map(([licence, names]) => `\n## ${licence} (${names.size})\n\n${wrapped([...names].sort())}\n`)
  .join('')}`;
if (process.argv.includes('--write')) await writeFile(LIST, list);
else if ((await readFile(LIST, 'utf8').catch(() => '')) !== list)
  problems.push('LICENCES.md doesn’t match the installed packages. Run node tests/support/dependencies.ts --write.');

const audit = knownFaults();
if (typeof audit !== 'string') problems.push(...audit);

for (const problem of problems) console.error(problem);
console.log(`dependencies: ${installed.length} packages, ${problems.length} problems`);
if (typeof audit === 'string') console.log(`dependencies: known vulnerabilities not checked: ${audit}`);
process.exitCode = problems.length > 0 ? 1 : typeof audit === 'string' ? NOT_CHECKED : 0;

async function licenceOf(path: string): Promise<string | undefined> {
  return (JSON.parse(await readFile(resolve(ROOT, path, 'package.json'), 'utf8')) as { license?: string }).license;
}

/** An allowed license, or a choice that includes one. */
function isAllowed(licence: string | undefined): licence is string {
  return (
    licence !== undefined &&
    licence
      .replace(/^\((.*)\)$/, '$1')
      .split(' OR ')
      .some((each) => ALLOWED.has(each))
  );
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function wrapped(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const last = lines.length - 1;
    if (lines[last]!.length + name.length > 130) lines.push(`${name}, `);
    else lines[last] += `${name}, `;
  }
  return lines.join('\n').replaceAll(/, $/gm, ',').replace(/,$/, '.');
}

/** Severe vulnerabilities in what users get, as the registry reports them; a note when it doesn’t respond. */
function knownFaults(): string[] | string {
  const { stdout, status } = spawnSync('npm', ['audit', '--omit=dev', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: AUDIT_LIMIT,
    shell: process.platform === 'win32',
  });
  try {
    const { vulnerabilities, message } = JSON.parse(stdout) as {
      vulnerabilities?: Record<string, { severity: string }>;
      message?: string;
    };
    if (!vulnerabilities) return message ?? 'the registry’s response is invalid.';
    return Object.entries(vulnerabilities)
      .filter(([, { severity }]) => severity === 'high' || severity === 'critical')
      .map(([name, { severity }]) => `${name} has a known fault (${severity}): npm audit says more.`);
  } catch {
    return `npm audit ended with ${status ?? 'its time limit'}.`;
  }
}
