/** What `Platform.App.Actions`, its analytics, and V3 send of their arguments. */
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createActions, type LogOptions } from '../../../lib/actions/actions.ts';
import { createAnalytics } from '../../../lib/actions/analytics.ts';
import type { PageRunner } from '../../../lib/actions/page-runs.ts';
import type { PlatformRequest, RequestError } from '../../../lib/actions/request.ts';
import { createActionsV3 } from '../../../lib/actions/v3/actions.ts';
import { createFacades } from '../../../lib/actions/v3/facades.ts';

let sent: (PlatformRequest & { path: string })[];
beforeEach(() => void (sent = []));
beforeAll(() => void vi.stubGlobal('ENV', { appId: 7 }));
afterAll(() => void vi.unstubAllGlobals());

const request = async (path: string, given: PlatformRequest = {}) => {
  sent.push({ path, ...given });
  return { action: {}, runs: [], entries: [] };
};
const { actions } = createActions(request, {} as PageRunner);
const v3 = createActionsV3(request, {} as PageRunner);
const analytics = createAnalytics(request, {} as PageRunner);

const failure = (promise: Promise<unknown>): Promise<RequestError> =>
  promise.then(
    () => Promise.reject(new Error('Nothing was refused.')),
    (error: unknown) => error as RequestError,
  );

describe('Data that JSON converts', () => {
  class Order {
    readonly id = 1;
    readonly at = new Date(0);
    readonly note = undefined;
  }
  const foreign = runInNewContext('({list: [new Date(0)]})') as object;
  const given = { order: new Order(), url: new URL('https://x.example'), foreign, list: [undefined, null, 0, ''] };
  const data = {
    order: { id: 1, at: '1970-01-01T00:00:00.000Z' },
    url: 'https://x.example/',
    foreign: { list: ['1970-01-01T00:00:00.000Z'] },
    list: [null, null, 0, ''],
  };

  it('is sent as JSON has it', async () => {
    await actions.run('a', given);
    await actions.update('a', { functions: [{ name: 'x', settings: given }] } as never);
    await v3.run(1, given);
    await analytics.pageView(given);
    expect(sent.map(({ body }) => body)).toEqual([
      { payload: data },
      { functions: [{ name: 'x', settings: data }] },
      { payload: data },
      { type: 'analytics.pageView', data },
    ]);
  });

  it('is sent without quotes in a query if it’s text there', async () => {
    const options: LogOptions = { from: new Date(0), to: '2026-01-01T00:00:00Z', limit: 5, where: { at: new Date(0) } };
    await actions.getLogs({ ...options, id: undefined });
    await v3.getLogs(options);
    for (const { path } of sent)
      expect(Object.fromEntries(new URL(path, 'https://x.example').searchParams)).toEqual({
        from: '1970-01-01T00:00:00.000Z',
        to: '2026-01-01T00:00:00Z',
        limit: '5',
        where: '{"at":"1970-01-01T00:00:00.000Z"}',
      });
  });
});

describe('Data that JSON would lose', () => {
  it.each<[unknown, string]>([
    [new File(['a'], 'a.txt'), 'File'],
    [new Map([['a', 1]]), 'Map'],
    [new Set([1]), 'Set'],
    [/a/, 'RegExp'],
    [Promise.resolve(1), 'Promise'],
    [new Uint8Array([1]), 'Uint8Array'],
    [new Error('a'), 'Error'],
    [new Date('soon'), 'Date'],
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [1n, 'BigInt'],
    [Symbol('a'), 'Symbol'],
    [() => 1, 'Function'],
    [runInNewContext('new Map()'), 'Map'],
  ])('is refused with its path, and nothing is sent: %o', async (value, kind) => {
    const data = { list: [{ 'a/b': value }] };
    const problem = (path: string) => `JSON can’t hold ${path} (${kind}).`;
    const connection = createFacades(request).DataSources.connect(3);
    for (const [call, path] of [
      [actions.run('a', data), '/payload/list/0/a~1b'],
      [actions.runWithResult('a', data), '/payload/list/0/a~1b'],
      [actions.create(data as never), '/list/0/a~1b'],
      [actions.update('a', data as never), '/list/0/a~1b'],
      [actions.getLogs({ where: data }), '/where/list/0/a~1b'],
      [actions.getLogs({ from: value as Date }), '/from'],
      [v3.run(1, data), '/payload/list/0/a~1b'],
      [v3.update(1, data as never), '/list/0/a~1b'],
      [v3.getLogs({ where: data }), '/where/list/0/a~1b'],
      [analytics.pageView(data), '/data/list/0/a~1b'],
      [connection.then((each) => each.find({ where: data })), '/where/list/0/a~1b'],
    ] as const)
      expect(await failure(call)).toMatchObject({
        code: 'INVALID',
        status: 422,
        message: `The request is invalid: ${problem(path)}`,
        details: [{ path, message: problem(path) }],
      });
    expect(sent).toEqual([]);
  });

  it.each([
    [new Map([['id', 1]]), 'Map'],
    [new URLSearchParams('id=1'), 'URLSearchParams'],
  ])('is refused instead of the options of a query, so that no filter is lost: %o', async (options, kind) => {
    for (const call of [actions.getLogs(options as never), v3.getLogs(options as never), v3.get(options as never)])
      expect(await failure(call)).toMatchObject({
        code: 'INVALID',
        details: [{ path: '', message: `JSON can’t hold this value (${kind}).` }],
      });
    expect(sent).toEqual([]);
  });

  it('in a step is refused with what to write instead of a function', async () => {
    const functions = [{ name: 'if', settings: { condition: () => true } }];
    expect((await failure(actions.create({ name: 'a', functions } as never))).message).toBe(
      'The request is invalid: JSON can’t hold /functions/0/settings/condition (Function). Write a condition as an expression in a string.',
    );
  });

  it('is refused if it contains itself', async () => {
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    expect((await failure(actions.run('a', loop))).message).toMatch(
      /^The request is invalid: Couldn’t convert the value to JSON: .+\.$/,
    );
    expect(sent).toEqual([]);
  });
});
