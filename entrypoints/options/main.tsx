/** Owns the wiring of the options page. */
import { render } from 'preact';
import { OptionsPage } from '../../components/options/options-page.tsx';
import type { OptionsPort } from '../../components/options/port.ts';
import { originPattern } from '../../lib/contract/index.ts';
import { browser } from '../../lib/messaging/browser.ts';
import { createSend } from '../../lib/messaging/send.ts';
import '../../assets/tokens.css';

const send = createSend(browser.runtime);
const access = (baseUrl: string): { origins: string[] } => ({ origins: [originPattern(baseUrl)] });

const port: OptionsPort = {
  list: () => send('environments.list', undefined),
  save: (input) => send('environments.save', input),
  remove: (id) => send('environments.remove', { id }),
  test: (takes) => send('environments.test', takes),
  state: () => send('vault.state', undefined),
  erase: async () => {
    const erased = await send('data.erase', undefined);
    if (erased.ok) localStorage.clear();
    return erased;
  },
  hasAccess: (baseUrl) => browser.permissions.contains(access(baseUrl)).catch(() => false),
  // A browser that refuses even to ask has not allowed it; what needs it says so by its own code.
  requestAccess: (baseUrl) => browser.permissions.request(access(baseUrl)).catch(() => false),
  download: (fileName, text) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    link.download = fileName;
    link.click();
    // The download has its own hold on the data once it began.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
};

const root = document.getElementById('options');
if (root) render(<OptionsPage port={port} />, root);
