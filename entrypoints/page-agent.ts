/** The script that the panel evaluates in the inspected page's main world: installs the agent, and nothing else. */
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { installAgent } from '../lib/extension/inspector/agent/install.ts';

export default defineUnlistedScript({ globalName: false, main: installAgent });
