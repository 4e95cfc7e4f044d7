/** Installs the agent. The panel evaluates this script in the inspected page’s main world. */
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { installAgent } from '../lib/extension/inspector/agent/install.ts';

export default defineUnlistedScript({ globalName: false, main: installAgent });
