/** Configures the build and the extension's manifest. */
import { preact } from '@preact/preset-vite';
import { defineConfig } from 'wxt';
import { AGENT_SOURCE } from './lib/extension/inspector/agent-protocol.ts';
import { docFiles } from './lib/browser-driver/docs/pages.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // The code editor writes a style sheet of its own. The nonce is no secret: it allows styles only.
  "style-src 'self' 'nonce-code-editor'",
  "img-src 'self' data: https:",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Names the agent in stack traces. Otherwise, they would tell the page the extension’s ID. */
const agentSource = {
  name: 'agent-source',
  generateBundle(_options: unknown, bundle: Record<string, { code?: string }>): void {
    const agent = bundle['early-agent.js'];
    if (agent) agent.code += `//# sourceURL=${AGENT_SOURCE}\n`;
  },
};

export default defineConfig({
  imports: false,
  publicDir: 'assets/public',
  outDir: '.output',
  hooks: {
    'build:publicAssets': async (_wxt, files) => void files.push(...(await docFiles())),
  },
  vite: () => ({
    plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), agentSource],
    build: { target: 'chrome120', modulePreload: { polyfill: false } },
  }),
  // Chromium's sandbox refuses to start as root, which is the user inside a container.
  webExt: { chromiumArgs: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
  manifest: ({ browser }) => ({
    name: 'Platform DevTools',
    description: 'Debug the actions of your low-code apps in DevTools, publish releases, and see why a login fails.',
    permissions: [
      'declarativeNetRequestWithHostAccess',
      'storage',
      'alarms',
      'scripting',
      ...(browser === 'firefox' ? [] : ['offscreen']),
    ],
    optional_permissions: ['notifications'],
    optional_host_permissions: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
    icons: { 16: 'icon/16.png', 32: 'icon/32.png', 48: 'icon/48.png', 128: 'icon/128.png' },
    content_security_policy: {
      // In Chromium, the page that sends a change (sender.html) frames itself.
      extension_pages: browser === 'firefox' ? CONTENT_SECURITY_POLICY : `${CONTENT_SECURITY_POLICY}; frame-src 'self'`,
    },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: 'devtools@platform.example',
              strict_min_version: '142.0',
              // The user’s token is sent to the user’s platform.
              data_collection_permissions: { required: ['authenticationInfo'] },
            },
          },
        }
      : { minimum_chrome_version: '120' }),
  }),
});
