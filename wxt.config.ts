/** Owns the extension's manifest and build. */
import { basename, dirname, resolve } from 'node:path';
import { preact } from '@preact/preset-vite';
import type { Plugin, Rolldown } from 'vite';
import { defineConfig } from 'wxt';

export default defineConfig({
  imports: false,
  publicDir: 'assets/public',
  outDir: '.output',
  vite: () => ({
    plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), lateParts],
    // The scripts of a late part come from the disk: only its styles are named beforehand.
    build: {
      target: 'chrome120',
      modulePreload: {
        polyfill: false,
        resolveDependencies: (_, scripts, { hostType }) => (hostType === 'html' ? scripts : []),
      },
    },
  }),
  hooks: {
    'vite:build:extendConfig'(entrypoints, config) {
      const output = config.build?.rollupOptions?.output;
      if (output && !Array.isArray(output) && entrypoints.some(({ type }) => type === 'popup'))
        output.codeSplitting = {
          groups: [{ name: chunkOf, debugName: 'pages' }],
          includeDependenciesRecursively: false,
        };
    },
  },
  // Chromium's sandbox refuses to start for root, which is what a container's user is.
  webExt: { chromiumArgs: process.getuid?.() === 0 ? ['--no-sandbox'] : [] },
  manifest: ({ browser }) => ({
    name: 'Platform DevTools',
    description: 'Debug actions, publish updates and inspect logins of apps on the platform.',
    permissions: ['declarativeNetRequestWithHostAccess', 'storage', 'alarms'],
    optional_permissions: ['notifications'],
    optional_host_permissions: ['https://*/*', 'http://localhost/*', 'http://127.0.0.1/*'],
    icons: { 16: 'icon/16.png', 32: 'icon/32.png', 48: 'icon/48.png', 128: 'icon/128.png' },
    content_security_policy: {
      // The nonce is for the code editor's style sheet, which it writes itself; it is no secret, and lets in styles alone.
      extension_pages:
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-code-editor'; img-src 'self' data: https:; connect-src 'self' https: http://localhost:* http://127.0.0.1:*; object-src 'none'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    },
    ...(browser === 'firefox'
      ? {
          browser_specific_settings: {
            gecko: {
              id: 'devtools@platform.example',
              strict_min_version: '142.0',
              data_collection_permissions: { required: ['none'] },
            },
          },
        }
      : { minimum_chrome_version: '120' }),
  }),
});

/** Late parts are loaded by our own code instead of Vite's. */
const lateParts: Plugin = {
  name: 'late-parts',
  apply: 'build',
  enforce: 'pre',
  load: {
    filter: { id: /^\0vite\/preload-helper\.js$/ },
    handler: () =>
      `export { loadPart as __vitePreload } from ${JSON.stringify(resolve(import.meta.dirname, 'components/ui/late-part.ts'))};`,
  },
};

/**
 * The script that a module goes into: few, as each compresses by itself, and many small ones badly. Popup and panel have one of their own, from which
 * their late parts take what they share; one is for all that the popup and another page share, one for what else the panel and another page share.
 * What a module imports is of at least as many pages: no two scripts need each other. Styles stay apart, those of one page are not for another.
 */
function chunkOf(id: string, modules: Rolldown.ChunkingContext): string | null {
  if (id.endsWith('.css')) return null;
  const pages = new Set<string>();
  const above = new Set([id]);
  for (const one of above) {
    const module = modules.getModuleInfo(one);
    if (module?.isEntry) pages.add(basename(dirname(one)));
    for (const importer of module?.importers ?? []) above.add(importer);
  }
  const page = ['popup', 'panel'].find((name) => pages.has(name));
  return page && pages.size > 1 ? `shared-with-${page}` : (page ?? null);
}
