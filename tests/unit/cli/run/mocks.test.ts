/** Tests which functions really run with mocks, and what is wrong with mocks. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkedMocks, mocksOfFile, mocksOfRun, reallyRun } from '../../../../lib/cli/run/mocks.ts';
import { OUTGOING_PACKAGES } from '../../../../lib/debugging/mocks/dry-run.ts';
import type { Mock } from '../../../../lib/debugging/mocks/types.ts';

const MAIL = 'com.platform.function.send-email';
const READ = 'com.platform.function.read-datasource';
const OWN = 'com.acme.function.book';
const pipeline = [
  { functionPackage: READ },
  { type: 'loop', items: 'records', functions: [{ functionPackage: MAIL }] },
  {
    type: 'if',
    conditions: [{ condition: 'true', functions: [{ function: OWN }] }],
    elseFunctions: [{ function: MAIL }],
  },
];
const ofPackage = (name: string, mock: Partial<Mock> = {}): Mock => ({
  target: { package: name },
  outcome: {},
  ...mock,
});

describe('what really runs', () => {
  it('is every function without mocks, and a run without mocks is never harmless', () => {
    expect(reallyRun(pipeline, [])).toEqual({ replaced: [], called: [READ, MAIL, OWN], isHarmless: false });
    expect(reallyRun([{ function: READ }], []).isHarmless).toBe(false);
  });

  it('isn’t what mocks always replace: a dry run leaves the own packages', () => {
    expect(reallyRun(pipeline, mocksOfRun([], true))).toEqual({
      replaced: [MAIL],
      called: [READ, OWN],
      isHarmless: false,
    });
    expect(reallyRun(pipeline, mocksOfRun([ofPackage(OWN)], true))).toEqual({
      replaced: [MAIL, OWN],
      called: [READ],
      isHarmless: true,
    });
  });

  it('is a function whose mock has a condition, only a delay, or another path', () => {
    for (const mock of [
      ofPackage(MAIL, { condition: 'currentItem.ok' }),
      { target: { package: MAIL }, delay: 5 },
      { target: { path: '/1/functions/0' }, outcome: {} },
    ])
      expect(reallyRun(pipeline, [mock]).called).toContain(MAIL);
    const late = [{ target: { package: MAIL }, delay: 5 }, ofPackage(MAIL)];
    expect(reallyRun(pipeline, late).called).toContain(MAIL);
    const both: Mock[] = ['/1/functions/0', '/2/elseFunctions/0'].map((path) => ({ target: { path }, outcome: {} }));
    expect(reallyRun(pipeline, both).replaced).toEqual([MAIL]);
  });

  it('isn’t harmless if there is no function, or none that is known', () => {
    expect(reallyRun([], [ofPackage(MAIL)]).isHarmless).toBe(false);
    expect(reallyRun([{ type: 'what' }], [ofPackage(MAIL)]).isHarmless).toBe(false);
  });
});

describe('the mocks of a run', () => {
  it('come before those of the dry run', () => {
    const own = ofPackage(MAIL, { outcome: { value: 1 } });
    expect(mocksOfRun([own], true).map(({ target }) => target)).toEqual(
      [MAIL, ...OUTGOING_PACKAGES].map((name) => ({ package: name })),
    );
    expect(mocksOfRun([own], false)).toEqual([own]);
  });

  it('are refused if a condition isn’t valid or a step isn’t there, and have warnings for all else', () => {
    const condition = [ofPackage(MAIL, { condition: 'a ===' })];
    expect(() => checkedMocks(condition, pipeline)).toThrow(/^Mock 1 can’t apply: The condition isn’t valid/);
    const path: Mock[] = [ofPackage(MAIL), { target: { path: '/5' }, outcome: {} }];
    expect(() => checkedMocks(path, pipeline)).toThrow(/^Mock 2 can’t apply: .*\/5\. Nothing was run\.$/);
    const lost = [ofPackage(MAIL, { outcome: { value: { $: 'lost', value: 'masked' } } })];
    expect(() => checkedMocks(lost, pipeline)).toThrow(/Nothing was run/);
    expect(checkedMocks([ofPackage('com.acme.function.other'), ofPackage(MAIL), ofPackage(MAIL)], pipeline)).toEqual([
      'Mock 1: The pipeline has no step that matches com.acme.function.other.',
      'Mock 3: The mock is the same as mock 2.',
    ]);
  });
});

describe('a file of mocks', () => {
  let folder: string;
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'mocks-'))));
  afterAll(() => rm(folder, { recursive: true }));
  const write = async (name: string, value: unknown): Promise<string> => {
    await writeFile(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };

  it('has the mocks of all sets that aren’t off', async () => {
    const sets = [
      { name: 'a', mocks: [ofPackage('a'), ofPackage('b', { isOff: true })] },
      { name: 'b', mocks: [ofPackage('c')] },
    ];
    const file = await write('good.json', { format: 'platform-devtools/mocks', version: 1, sets });
    expect(await mocksOfFile(file)).toEqual([ofPackage('a'), ofPackage('c')]);
  });

  it('is refused with its name and a code', async () => {
    const file = await write('other.json', { sets: [] });
    await expect(mocksOfFile(file)).rejects.toMatchObject({
      value: { code: 'MOCKS_NOT_ONE', message: `${file}: Couldn’t read the mocks: the JSON isn’t a file of mocks.` },
    });
    await expect(mocksOfFile(join(folder, 'missing.json'))).rejects.toMatchObject({ code: 'FILE_NOT_READ' });
  });
});
