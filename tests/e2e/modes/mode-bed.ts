/** A test bed on a platform of either mode, behind a proxy that counts what the extension requests. */
import { demoConfigurations } from '../../../lib/local-platform/oauth-demo/index.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startPages } from '../../support/servers/page-server.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

export type Mode = 'local' | 'spec-only';

const SPECIFIED =
  /^(GET \/v1\/apps|POST \/v1\/apps\/\d+\/publish|GET \/v1\/apps\/\d+\/analytics\/sessions|GET \/v1\/apps\/\d+\/tasks\/\d+\/compile)$/;

export interface ModeBed {
  bed: TestBed;
  proxy: FaultyPlatform;
  /** An app’s own page with both demo services. */
  oauth2Page: string;
  /** The extension’s requests beyond the specification. Those of pages have no token, or the token of a page. */
  beyond(): string[];
  close(): Promise<void>;
}

export async function startModeBed(mode: Mode): Promise<ModeBed> {
  const app = await startPages<'app'>((path) => (path === 'app' ? { type: 'html', text: oauth2Page(bed) } : undefined));
  const oauth2Url = app.url('app');
  const { origin } = new URL(oauth2Url);
  const bed = await startTestBed({
    ownPlatform: true,
    specOnly: mode === 'spec-only',
    appOrigins: [origin],
    withoutDevTools: true,
  });
  const proxy = await startFaultyPlatform(bed.platform.baseUrl);
  return {
    bed,
    proxy,
    oauth2Page: oauth2Url,
    beyond: () =>
      proxy.requests
        .filter(({ token }) => token !== undefined && !token.startsWith('page.'))
        .map(({ method, path }) => `${method} ${path.split('?')[0]}`)
        .filter((request) => !SPECIFIED.test(request)),
    async close() {
      await bed.close();
      await proxy.close();
      await app.close();
    },
  };
}

const oauth2Page = ({ platform: { oauthDemo, pagesUrl } }: TestBed): string =>
  `<!doctype html><meta charset="utf-8"><title>App</title><link rel="icon" href="data:,">
<script src="${pagesUrl}/packages/platform-oauth2:0.1.js"></script>
<script>Platform.OAuth2.configure(${JSON.stringify(demoConfigurations(oauthDemo!, pagesUrl))})</script>`;
