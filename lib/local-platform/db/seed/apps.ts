/** The demo organization, its apps, and their releases. */

export const ORGANIZATION = { id: 21, name: 'Northwind Field Services' };
/** A colleague with access to one more app than the developer. */
export const OFFICE = { id: 32, email: 'office@northwind.example' };

const DEVELOPER_ID = 31;

export interface DemoApp {
  id: number;
  name: string;
  icon: string;
  version: number | null;
  startingPageId: number;
  productionAppId: number | null;
  seenBy: number[];
  /** Age in days. */
  days: number;
  publishedDays?: number;
}

export const APPS: DemoApp[] = [
  {
    id: 101,
    name: 'Field Service',
    icon: icon('FS', '#1f6feb'),
    version: 12,
    startingPageId: 2001,
    productionAppId: 201,
    seenBy: [DEVELOPER_ID, OFFICE.id],
    days: 412,
    publishedDays: 6,
  },
  {
    id: 102,
    name: 'Visitor Desk',
    icon: icon('VD', '#1a7f37'),
    version: 4,
    startingPageId: 2101,
    productionAppId: 202,
    seenBy: [DEVELOPER_ID],
    days: 230,
    publishedDays: 19,
  },
  {
    id: 103,
    name: 'Team Directory',
    icon: icon('TD', '#8250df'),
    version: null,
    startingPageId: 2201,
    productionAppId: null,
    seenBy: [DEVELOPER_ID, OFFICE.id],
    days: 16,
  },
  {
    id: 104,
    name: 'Payroll',
    icon: icon('PR', '#9a6700'),
    version: 31,
    startingPageId: 2301,
    productionAppId: 204,
    seenBy: [OFFICE.id],
    days: 700,
    publishedDays: 3,
  },
];

const NOTES = [
  'Visits can be signed on the device.',
  'Fixes the map on small screens.',
  'The parts list loads offline.',
  'Faster startup.',
  'Photos stay on the device until they’re uploaded.',
  'New: reports by week.',
];

/** One release per version, two weeks apart. */
export function releaseNotes({ version, publishedDays = 0 }: DemoApp) {
  return Array.from({ length: version ?? 0 }, (_, index) => ({
    version: index + 1,
    type: (['silent', 'visible', 'forced'] as const)[index % 3]!,
    changelog: NOTES[index % NOTES.length]!,
    days: publishedDays + 14 * ((version ?? 0) - index - 1),
  }));
}

/** A data URL needs no request. */
function icon(letters: string, color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${color}"/><text x="32" y="41" font-family="sans-serif" font-size="26" font-weight="600" text-anchor="middle" fill="#fff">${letters}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
