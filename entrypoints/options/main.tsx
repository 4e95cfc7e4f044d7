/** Starts the options page: connects it to the browser’s APIs. */
import { render } from 'preact';
import { OptionsPage } from '../../components/options/options-page.tsx';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { connectSurface } from '../../lib/extension/messaging/connect.ts';
import { createOptionsPort } from '../../lib/extension/options/browser.ts';
import { DATABASES, exportQuarantine, inspectQuarantine } from '../../lib/extension/storage/index.ts';
import '../../assets/tokens.css';

const { shared, changes, lock } = connectSurface(browser);
const port = createOptionsPort(lock, changes, { ...browser, storage: shared }, localStorage, {
  inspectQuarantine: () => inspectQuarantine(DATABASES),
  exportQuarantine: () => exportQuarantine(DATABASES),
});

const root = document.getElementById('options');
if (root) render(<OptionsPage port={port} />, root);
lock.watch(window);
