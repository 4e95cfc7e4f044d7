/** Demo data sources and their entries: people, visits, and visitors. */
import type { dataSourceEntries, dataSources } from '../schema.ts';
import { createChance } from './random.ts';

type NewEntry = typeof dataSourceEntries.$inferInsert;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FIRST = [
  'Ada',
  'Bram',
  'Chiara',
  'Daan',
  'Esra',
  'Femke',
  'Gabriel',
  'Hana',
  'Ilse',
  'Jonas',
  'Kofi',
  'Lena',
  'Mateo',
  'Noor',
  'Olga',
  'Pim',
  'Quirine',
  'Rosa',
  'Sven',
  'Tess',
];
const LAST = [
  'Bakker',
  'Costa',
  'de Vries',
  'Engel',
  'Fischer',
  'García',
  'Haddad',
  'Ito',
  'Jansen',
  'Kowalski',
  'Lindqvist',
  'Moreau',
  'Novák',
  'Okafor',
  'Peeters',
  'Rossi',
  'Smit',
  'Tanaka',
  'Usman',
  'Visser',
];
const CITIES = ['Utrecht', 'Ghent', 'Hamburg', 'Lyon', 'Bristol', 'Porto', 'Malmö', 'Turin'];
const STREETS = ['Canal Street', 'Station Road', 'Mill Lane', 'Harbor Way', 'Park Avenue', 'Church Street'];

/** This person’s email address is invalid, for the action `throws-on-bad-address`. */
export const BAD_ADDRESS_INDEX = 11;

/** Name and email of a person, different for each `index`. The first ones are `PEOPLE`. */
export function personOf(index: number): { name: string; email: string } {
  const name = `${FIRST[index % FIRST.length]} ${LAST[(index * 7) % LAST.length]}`;
  const round = Math.floor(index / FIRST.length);
  const mail = `${name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z ]/g, '')
    .replaceAll(' ', '.')}${round === 0 ? '' : round + 1}`;
  return { name, email: index === BAD_ADDRESS_INDEX ? `${mail}(at)northwind.example` : `${mail}@northwind.example` };
}

export const PEOPLE = Array.from({ length: 40 }, (_, index) => ({
  ...personOf(index),
  Admin: index % 8 === 0,
  role: (['technician', 'technician', 'planner', 'manager'] as const)[index % 4]!,
  city: CITIES[index % CITIES.length]!,
}));

export const demoSources: Required<Pick<typeof dataSources.$inferInsert, 'id' | 'appId' | 'name' | 'columns'>>[] = [
  {
    id: 501,
    appId: 101,
    name: 'Visits',
    columns: ['customer', 'address', 'technician', 'status', 'minutes', 'checkedInAt', 'checkedOutAt'],
  },
  { id: 502, appId: 101, name: 'People', columns: ['name', 'email', 'Admin', 'role', 'city'] },
  { id: 503, appId: 101, name: 'Check-outs', columns: ['visitId', 'customer', 'reason'] },
  { id: 511, appId: 102, name: 'Visitors', columns: ['name', 'email', 'host', 'arrivedAt', 'badge'] },
  { id: 512, appId: 102, name: 'Users', columns: ['name', 'email'] },
  { id: 521, appId: 103, name: 'Employees', columns: ['name', 'email', 'role', 'city'] },
  { id: 531, appId: 104, name: 'Salaries', columns: ['email', 'month', 'gross'] },
];

export function demoEntries(now: Date): NewEntry[] {
  const chance = createChance(20_260_202);
  const iso = (at: number): string => new Date(at).toISOString();
  const entry = (dataSourceId: number, data: Record<string, unknown>, at = now.getTime() - 30 * DAY): NewEntry => ({
    dataSourceId,
    data,
    createdAt: new Date(at),
    updatedAt: new Date(at),
  });
  const people = (dataSourceId: number): NewEntry[] => PEOPLE.map((person) => entry(dataSourceId, person));

  const visits = Array.from({ length: 240 }, (_, index): NewEntry => {
    const start = now.getTime() - Math.floor((240 - index) * 3.1 * HOUR);
    const minutes = chance.int(15, 180);
    // Some of the last day’s visits stay open, for the action `check-out-at-midnight`.
    const open = index >= 230 && index % 2 === 0;
    const status = open ? 'open' : chance.next() < 0.08 ? 'canceled' : 'done';
    const data = {
      customer: `${chance.pick(LAST)} & ${chance.pick(['Sons', 'Daughters', 'Partners', 'Co.'])}`,
      address: `${chance.int(1, 180)} ${chance.pick(STREETS)}, ${chance.pick(CITIES)}`,
      technician: chance.pick(PEOPLE).email,
      status,
      minutes: open ? null : minutes,
      checkedInAt: iso(start),
      checkedOutAt: open ? null : iso(start + minutes * MINUTE),
    };
    return entry(501, data, start);
  });

  const visitors = Array.from({ length: 120 }, (_, index): NewEntry => {
    const arrived = now.getTime() - Math.floor((120 - index) * 0.25 * DAY);
    const name = `${chance.pick(FIRST)} ${chance.pick(LAST)}`;
    const data = {
      name,
      email: `${name.split(' ')[0]!.toLowerCase()}${index}@example.com`,
      host: chance.pick(PEOPLE).email,
      arrivedAt: iso(arrived),
      badge: 1000 + index,
    };
    return entry(511, data, arrived);
  });

  const users = [
    { name: 'Example User', email: 'user@example.com' },
    ...PEOPLE.map(({ name, email }) => ({ name, email })),
  ].map((data) => entry(512, data));
  const salaries = PEOPLE.slice(0, 10).map(({ email }) =>
    entry(531, { email, month: iso(now.getTime()).slice(0, 7), gross: chance.int(2_800, 6_400) }),
  );
  return [...visits, ...people(502), ...visitors, ...users, ...people(521), ...salaries];
}
