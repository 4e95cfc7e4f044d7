/** Starts the background worker: vault, REST calls, publishing, and request rules. */
import { defineBackground } from 'wxt/utils/define-background';
import { startWorker } from '../../lib/extension/background/worker.ts';
import { browser } from '../../lib/extension/messaging/browser.ts';

export default defineBackground(() => startWorker(browser));
