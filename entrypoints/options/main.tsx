/** Owns the wiring of the options page. */
import { render } from 'preact';
import { OptionsPage } from '../../components/options/options-page.tsx';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { Lock } from '../../lib/extension/messaging/lock.ts';
import { createSend } from '../../lib/extension/messaging/send.ts';
import { createOptionsPort } from '../../lib/extension/options/browser.ts';
import '../../assets/tokens.css';

const lock = new Lock(createSend(browser.runtime));
const port = createOptionsPort(lock, browser.permissions, localStorage);

const root = document.getElementById('options');
if (root) render(<OptionsPage port={port} />, root);
lock.watch(window);
