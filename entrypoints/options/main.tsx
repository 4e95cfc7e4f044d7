/** Starts the options page: connects it to the browser’s APIs. */
import { render } from 'preact';
import { OptionsPage } from '../../components/options/options-page.tsx';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { Lock } from '../../lib/extension/messaging/lock.ts';
import { createSend } from '../../lib/extension/messaging/send.ts';
import { StoredChanges } from '../../lib/extension/messaging/stored-changes.ts';
import { createOptionsPort } from '../../lib/extension/options/browser.ts';
import { DATABASES, exportQuarantine, inspectQuarantine } from '../../lib/extension/storage/index.ts';
import '../../assets/tokens.css';

const changes = new StoredChanges();
const lock = new Lock(changes.announced(createSend(browser.runtime)));
const port = createOptionsPort(lock, changes, browser.permissions, localStorage, {
  inspectQuarantine: () => inspectQuarantine(DATABASES),
  exportQuarantine: () => exportQuarantine(DATABASES),
});

const root = document.getElementById('options');
if (root) render(<OptionsPage port={port} />, root);
lock.watch(window);
