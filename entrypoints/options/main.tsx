/** Owns the wiring of the options page. */
import { render } from 'preact';
import { OptionsPage } from '../../components/options/options-page.tsx';
import { browser } from '../../lib/messaging/browser.ts';
import { createLock } from '../../lib/messaging/lock.ts';
import { createSend } from '../../lib/messaging/send.ts';
import { createOptionsPort } from './browser.ts';
import '../../assets/tokens.css';

const lock = createLock(createSend(browser.runtime));
const port = createOptionsPort(lock, browser.permissions, localStorage);

const root = document.getElementById('options');
if (root) render(<OptionsPage port={port} />, root);
lock.follow(window);
