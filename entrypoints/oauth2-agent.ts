/** Owns the script that the panel evaluates in the inspected page's main world when tab *OAuth2* is opened: it installs that tab's agent, and nothing else. */
import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script';
import { installOAuth2Agent } from '../lib/extension/inspector/oauth2/agent/install.ts';

export default defineUnlistedScript({ globalName: false, main: installOAuth2Agent });
