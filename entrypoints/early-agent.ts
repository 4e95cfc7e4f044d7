/** Starts the agent before a page’s first script. The worker registers this script for the navigation of *Open*. */
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { startEarlyAgent } from '../lib/extension/inspector/agent/early.ts';

export default defineUnlistedScript({ globalName: false, main: startEarlyAgent });
