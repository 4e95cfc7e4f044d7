/** Arguments with which Chromium starts for tests, demos, and runs: no first-run pages, and no requests of its own. */

export const chromiumArguments = (isHeadless: boolean): string[] => [
  // Chromium’s sandbox doesn’t work for root, the usual user in a container.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ...(isHeadless ? ['--disable-gpu'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-search-engine-choice-screen',
  '--window-size=1400,900',
];
