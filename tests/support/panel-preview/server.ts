/** Implements `npm run panel`: serves the panel for a plain browser tab, with a local platform behind it. */
import { resolve } from 'node:path';
import { preact } from '@preact/preset-vite';
import { build } from 'esbuild';
import { createServer, type Plugin, type ProxyOptions } from 'vite';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const DEFAULT_PORT = 4500;

export interface PanelPreview {
  url: string;
  close(): Promise<void>;
}

export interface PanelPreviewOptions {
  port: number;
  platform: Platform;
  /** Reloads the page when a file changes. */
  watch: boolean;
}

export async function startPanelPreview({ port, platform, watch }: PanelPreviewOptions): Promise<PanelPreview> {
  const server = await createServer({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'warn',
    clearScreen: false,
    // A test may run while a developer is using a preview server.
    cacheDir: resolve(REPOSITORY, `node_modules/.vite/panel${watch ? '' : '-test'}`),
    plugins: [preact({ devToolsEnabled: false, prefreshEnabled: watch }), pageScripts()],
    optimizeDeps: { entries: ['main.tsx'] },
    server: {
      port,
      strictPort: true,
      host: 'localhost',
      fs: { allow: [REPOSITORY] },
      proxy: { '/v1': proxyTo(platform), '/v3': proxyTo(platform) },
      ...(!watch && { hmr: false, watch: null }),
    },
  });
  await server.listen();
  const [url] = server.resolvedUrls?.local ?? [];
  if (!url) throw new Error('Couldn’t start the panel’s server: it has no URL.');
  return { url, close: () => server.close() };
}

/** Forwards requests, and adds the token to those without one, such as loading a debug page in the iframe. */
function proxyTo({ baseUrl, authToken }: Platform): ProxyOptions {
  return {
    target: baseUrl,
    configure(proxy) {
      proxy.on('proxyReq', (request) => {
        const token = request.getHeader('auth-token');
        if (token === undefined || token === 'preview') request.setHeader('auth-token', authToken);
      });
      // Its policy forbids iframes, and the inspector’s `eval`.
      proxy.on('proxyRes', ({ headers }) => delete headers['content-security-policy']);
    },
  };
}

const PAGE_SCRIPTS = {
  '/page-agent.js': "import { installAgent } from './lib/extension/inspector/agent/install.ts'; installAgent();",
  '/prover.js': "import { installProver } from './lib/extension/inspector/migrate/agent/prover.ts'; installProver();",
};

/** The scripts that the panel evaluates in pages. */
function pageScripts(): Plugin {
  const script = async (contents: string): Promise<string> => {
    const { outputFiles } = await build({ stdin: { contents, resolveDir: REPOSITORY }, bundle: true, write: false });
    return outputFiles[0]?.text ?? '';
  };
  return {
    name: 'page-scripts',
    configureServer({ middlewares }) {
      for (const [path, contents] of Object.entries(PAGE_SCRIPTS))
        middlewares.use(path, (_request, response, next) => {
          script(contents).then((text) => {
            response.setHeader('content-type', 'text/javascript; charset=utf-8');
            response.end(text);
          }, next);
        });
    },
  };
}

if (import.meta.main) {
  const platform = await startPlatform({
    port: 0,
    data: 'memory',
    appOrigins: [`http://localhost:${DEFAULT_PORT}`],
  });
  const { url } = await startPanelPreview({ port: DEFAULT_PORT, platform, watch: true });
  console.log(`The panel with sample data: ${url} (add ?theme=dark or ?page=hidden)\nPress Ctrl+C to stop.`);
}
