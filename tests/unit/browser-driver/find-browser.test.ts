import { expect, test } from 'vitest';
import { ensureBrowser, findBrowser, type Machine } from '../../../lib/browser-driver/find-browser.ts';

function machine(given: Partial<Machine> & { installed?: string[] }): Machine {
  const installed = given.installed ?? [];
  return {
    platform: 'linux',
    env: { PATH: '/usr/local/bin:/usr/bin' },
    isExecutable: (path) => installed.includes(path),
    run: () => 1,
    isRoot: false,
    ...given,
  };
}

test('an installed browser is found on the PATH, Chrome before Chromium', () => {
  expect(findBrowser('chromium', machine({ installed: ['/usr/bin/chromium', '/usr/bin/google-chrome'] }))).toBe(
    '/usr/bin/google-chrome',
  );
  expect(findBrowser('firefox', machine({ installed: ['/usr/bin/firefox-esr'] }))).toBe('/usr/bin/firefox-esr');
  expect(findBrowser('firefox', machine({ installed: ['/usr/bin/chromium'] }))).toBeNull();
});

test('a given path is preferred to installed browsers, and must be executable', () => {
  const env = { PATH: '/usr/bin', CHROME_PATH: '/opt/chrome' };
  expect(findBrowser('chromium', machine({ env, installed: ['/usr/bin/chromium', '/opt/chrome'] }))).toBe(
    '/opt/chrome',
  );
  expect(() => findBrowser('chromium', machine({ env, installed: ['/usr/bin/chromium'] }))).toThrow(
    'CHROME_PATH is /opt/chrome, which isn’t an executable file',
  );
});

test('browsers are found in the usual folders of macOS and Windows', () => {
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  expect(findBrowser('chromium', machine({ platform: 'darwin', installed: [mac] }))).toBe(mac);
  const edge = 'C:/Program Files/Microsoft/Edge/Application/msedge.exe';
  expect(
    findBrowser(
      'chromium',
      machine({ platform: 'win32', env: { PROGRAMFILES: 'C:/Program Files' }, installed: [edge] }),
    ),
  ).toBe(edge);
});

test('root on a machine with apt is offered the Debian package', () => {
  const installed = ['/usr/bin/apt-get'];
  const ran: string[] = [];
  const run = (command: string, args: string[]) => {
    ran.push([command, ...args].join(' '));
    if (args.includes('install')) installed.push('/usr/bin/chromium');
    return 0;
  };
  expect(ensureBrowser('chromium', machine({ installed, run, isRoot: true }))).toBe('/usr/bin/chromium');
  expect(ran).toEqual(['apt-get update', 'apt-get install -y --no-install-recommends chromium']);
});

test('where nothing can be installed, one sentence says what to install', () => {
  expect(() => ensureBrowser('chromium', machine({}))).toThrow(
    'No Chrome, Chromium, or Edge found: install Chrome, Chromium, or Edge (on Debian: apt-get install chromium), or set CHROME_PATH to its path.',
  );
  expect(() =>
    ensureBrowser('firefox', machine({ installed: ['/usr/bin/apt-get'], isRoot: true, run: () => 100 })),
  ).toThrow('No Firefox found');
});
