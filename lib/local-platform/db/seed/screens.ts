/** Demo screens: each app’s start screen, a screen that an action targets, and one that logs in to OAuth2 services. */
import { readFileSync } from 'node:fs';
import type { screens } from '../schema.ts';
import { APPS } from './apps.ts';

type NewScreen = typeof screens.$inferInsert;
type Asset = NewScreen['assets'][number];

const asset = (kind: 'script' | 'style', name: string): Asset => ({
  name,
  kind,
  source: readFileSync(new URL(name, import.meta.url), 'utf8'),
});

/** For trying out `Platform.OAuth2` with the demo services. */
export const OAUTH2_SCREEN = { appId: 101, pageId: 2003 };

export function demoScreens(): NewScreen[] {
  const home = [asset('script', 'screen-home.js')];
  const visits: Asset[] = [
    asset('script', 'screen-open-visits.js'),
    { name: 'visits.css', kind: 'style', source: 'output { font-weight: 600; }\n' },
    {
      name: 'visits.svg',
      kind: 'image',
      source:
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 4l2 2 4-4" fill="none" stroke="currentColor"/></svg>\n',
    },
  ];
  const oauth2: Asset[] = [
    { name: 'platform-oauth2:0.1', kind: 'package', source: '' },
    asset('style', 'screen-oauth2.css'),
    asset('script', 'screen-oauth2.js'),
  ];
  return [
    ...APPS.map(({ id, startingPageId, version }) => ({
      id: startingPageId,
      appId: id,
      title: 'Start',
      assets: home,
      published: version === null ? null : home,
    })),
    { id: OAUTH2_SCREEN.pageId, appId: OAUTH2_SCREEN.appId, title: 'OAuth2', assets: oauth2, published: oauth2 },
    { id: 2002, appId: 101, title: 'Open visits', assets: visits, published: visits },
  ];
}
