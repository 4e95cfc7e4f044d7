/** Finds an installed browser, or installs the Debian package if this process has permission to do so. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { CodedError } from '../platform-api/coded-error.ts';

export type BrowserKind = 'chromium' | 'firefox';

interface Candidates {
  title: string;
  variable: string;
  debianPackage: string;
  commands: string[];
  mac: string[];
  windows: string[];
}

const CANDIDATES: Record<BrowserKind, Candidates> = {
  chromium: {
    title: 'Chrome, Chromium, or Edge',
    variable: 'CHROME_PATH',
    debianPackage: 'chromium',
    commands: [
      'google-chrome-stable',
      'google-chrome',
      'chromium',
      'chromium-browser',
      'microsoft-edge-stable',
      'microsoft-edge',
    ],
    mac: ['Google Chrome', 'Chromium', 'Microsoft Edge'],
    windows: [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ],
  },
  firefox: {
    title: 'Firefox',
    variable: 'FIREFOX_PATH',
    debianPackage: 'firefox-esr',
    commands: ['firefox', 'firefox-esr'],
    mac: ['Firefox'],
    windows: ['Mozilla Firefox/firefox.exe'],
  },
};

/** The system functions needed to find a browser. Tests pass fakes. */
export interface Machine {
  platform: NodeJS.Platform;
  env: Record<string, string | undefined>;
  isExecutable(path: string): boolean;
  /** Runs a command with its output on stderr; returns its exit code. */
  run(command: string, args: string[]): number;
  isRoot: boolean;
}

/** The path of an installed browser, or null if there is none. `CHROME_PATH` and `FIREFOX_PATH` take precedence. */
export function findBrowser(kind: BrowserKind, machine: Machine = thisMachine): string | null {
  const { variable, commands, mac, windows } = CANDIDATES[kind];
  const given = machine.env[variable];
  if (given) {
    if (machine.isExecutable(given)) return given;
    throw new CodedError({
      code: 'BROWSER_MISSING',
      message: `${variable} is ${given}, which isn’t an executable file. Correct or remove it.`,
    });
  }
  const paths = (() => {
    if (machine.platform === 'darwin')
      return mac.flatMap((app) =>
        ['/Applications', join(homedir(), 'Applications')].map(
          (folder) => `${folder}/${app}.app/Contents/MacOS/${app}`,
        ),
      );
    if (machine.platform === 'win32') {
      const roots = [machine.env.PROGRAMFILES, machine.env['PROGRAMFILES(X86)'], machine.env.LOCALAPPDATA].filter(
        (root) => root !== undefined,
      );
      return windows.flatMap((path) => roots.map((root) => join(root, path)));
    }
    const folders = (machine.env.PATH ?? '').split(delimiter).filter(Boolean);
    return commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  })();
  return paths.find((path) => machine.isExecutable(path)) ?? null;
}

/**
 * Returns the path of a browser. If none is installed, installs the Debian package, provided that this process is root
 * on a machine with apt.
 * @throws CodedError `BROWSER_MISSING`, which says what to install
 */
export function ensureBrowser(kind: BrowserKind, machine: Machine = thisMachine): string {
  const found = findBrowser(kind, machine);
  if (found) return found;
  const { title, variable, debianPackage } = CANDIDATES[kind];
  if (machine.platform === 'linux' && machine.isRoot && machine.isExecutable('/usr/bin/apt-get')) {
    console.error(`No ${title} found: installing the Debian package ${debianPackage}.`);
    const install = () => machine.run('apt-get', ['install', '-y', '--no-install-recommends', debianPackage]);
    if (machine.run('apt-get', ['update']) === 0 && install() === 0) {
      const installed = findBrowser(kind, machine);
      if (installed) return installed;
    }
  }
  const debian = machine.platform === 'linux' ? ` (on Debian: apt-get install ${debianPackage})` : '';
  throw new CodedError({
    code: 'BROWSER_MISSING',
    message: `No ${title} found: install ${title}${debian}, or set ${variable} to its path.`,
  });
}

const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  isExecutable(path) {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
  run(command, args) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync(command, args, { stdio: ['ignore', 2, 2], env }).status ?? 1;
  },
  isRoot: process.getuid?.() === 0,
};
