/** Owns the demo screens: the start screen of each app, and one that an action targets. */
import { readFileSync } from 'node:fs';
import type { screens } from '../schema.ts';
import { APPS } from './apps.ts';

type NewScreen = typeof screens.$inferInsert;
type Asset = NewScreen['assets'][number];

const script = (name: string): Asset => ({ name, kind: 'script', source: readFileSync(new URL(name, import.meta.url), 'utf8') });

export function demoScreens(): NewScreen[] {
  const home = [script('screen-home.js')];
  const visits: Asset[] = [
    script('screen-open-visits.js'),
    { name: 'visits.css', kind: 'style', source: 'output { font-weight: 600; }\n' },
    { name: 'visits.svg', kind: 'image', source: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M1 4l2 2 4-4" fill="none" stroke="currentColor"/></svg>\n' },
  ];
  return [
    ...APPS.map(({ id, startingPageId, version }) => ({ id: startingPageId, appId: id, title: 'Start', assets: home, published: version === null ? null : home })),
    { id: 2002, appId: 101, title: 'Open visits', assets: visits, published: visits },
  ];
}
