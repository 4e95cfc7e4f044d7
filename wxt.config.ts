/** Configures the build and the extension's manifest. */
import { preact } from '@preact/preset-vite';
import { basename, dirname } from 'node:path';
import type { Rolldown } from 'vite';
import { defineConfig } from 'wxt';
import { AGENT_SOURCE } from './lib/extension/inspector/agent-protocol.ts';
import { Licenses } from './lib/browser-driver/docs/licenses.ts';
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

/** The names of the pages that load the module when they open. */
function pagesOf(id: string, context: Rolldown.ChunkingContext): string[] {
  const loading = new Set([id]);
  for (const one of loading) for (const importer of context.getModuleInfo(one)?.importers ?? []) loading.add(importer);
  const pages = [...loading].filter((one) => context.getModuleInfo(one)?.isEntry);
  return pages.map((page) => basename(dirname(page))).toSorted();
}

/**
 * One chunk for all modules that the same pages load when they open. By default, dynamic imports count as pages: the panel
 * had 85 chunks, and took twice as long to open. Modules of more pages come first, because modules bring their imports.
 */
const chunksOf = (pages: number) =>
  Array.from({ length: pages }, (_, index) => ({
    priority: index,
    tags: ['$initial' as const],
    debugName: `${index + 1} pages`,
    name(id: string, context: Rolldown.ChunkingContext): string | null {
      const names = pagesOf(id, context);
      return names.length === index + 1 ? names.join('-') : null;
    },
  }));

const licenses = new Licenses();

export default defineConfig({
  imports: false,
  publicDir: 'assets/public',
  outDir: '.output',
  hooks: {
    // Despite `imports: false`, WXT imports its modules into ours that use a name like “storage”.
    'config:resolved': ({ config }) => void Object.assign(config.imports, { imports: [], presets: [] }),
    'vite:build:extendConfig': ({ length }, config) => {
      // Only pages share chunks.
      const codeSplitting = { groups: chunksOf(length) };
      if (length > 1) Object.assign(config.build!.rollupOptions!.output!, { codeSplitting });
    },
    'build:before': () => licenses.clear(),
    'build:publicAssets': async (_wxt, files) => void files.push(...(await docFiles(licenses.html()))),
  },
  vite: () => ({
    plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), agentSource, licenses.plugin],
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
