/** What V3 code can call has the effects of the V2 function packages, and fails like them (actions-v3, "Decided"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogList, PipelineStep } from '../../../lib/platform-api/index.ts';
import { step } from '../support/page.ts';
import { start, type TestPlatform } from '../support/platform.ts';
import { fresh, newName } from './support.ts';

let platform: TestPlatform;
let source: { id: number; name: string };
beforeAll(async () => {
  platform = await start({ v3RunLimit: 1_000 });
  const { body } = await platform.ask<{ dataSources: (typeof source)[] }>('/v1/apps/102/data-sources');
  source = body.dataSources[0]!;
});
afterAll(() => platform.close());

interface Ended {
  result: unknown;
  error: string;
  details: { errorType: string; errorMessage: string };
}
const DEPENDENCIES = ['platform-communicate', 'platform-datasources', 'platform-notifications'];

async function inV3(body: string, dependencies: string[] = DEPENDENCIES): Promise<Ended> {
  const { id } = await fresh(platform, body, { dependencies });
  return (await platform.ask<Ended>(`/v3/apps/102/actions/${id}/run-with-result`, { body: {} })).body;
}
async function inV2(functions: PipelineStep[]): Promise<Ended> {
  const name = newName();
  await platform.ask('/v1/apps/102/actions', { body: { name, functions } });
  return (await platform.ask<Ended>(`/v1/apps/102/actions/${name}/run-with-result`, { body: {} })).body;
}

type Message = Record<string, unknown>;
const messages = async (): Promise<Message[]> =>
  (await platform.ask<{ messages: Message[] }>('/v1/apps/102/outbox')).body.messages;
const entries = async (): Promise<{ id: number; data: unknown }[]> =>
  (await platform.ask<{ entries: { id: number; data: unknown }[] }>(`/v1/data-sources/${source.id}/entries`)).body
    .entries;
const comparable = ({ id: _id, createdAt: _at, ...others }: Message): Message => others;

describe('Platform.Communicate.sendEmail and Platform.Notifications.send', () => {
  it.each([
    [
      'send-email',
      { to: 'a@b.example, c@d.example', subject: 'Hi', html: '<p>Hello</p>' },
      'await Platform.Communicate.sendEmail({ to: "a@b.example, c@d.example", subject: "Hi", html: "<p>Hello</p>" });',
    ],
    [
      'send-notification',
      { title: 'Hi', message: 'Hello' },
      'await Platform.Notifications.send({ title: "Hi", message: "Hello" });',
    ],
  ])('leave the same message in the outbox as %s', async (name, settings, code) => {
    const before = (await messages()).length;
    expect(await inV2([step(name, settings)])).toEqual({ result: null });
    expect(await inV3(code)).toEqual({ result: null });
    const [one, other, ...rest] = (await messages()).slice(before).map(comparable);
    expect(other).toEqual(one);
    expect(rest).toEqual([]);
  });

  it.each([
    [
      'send-email',
      { to: 5, subject: 'x', html: 'x' },
      'await Platform.Communicate.sendEmail({ to: 5, subject: "x", html: "x" });',
    ],
    [
      'send-email',
      { to: 'x', subject: 'x', html: 'x' },
      'await Platform.Communicate.sendEmail({ to: "x", subject: "x", html: "x" });',
    ],
    ['send-notification', { title: 'x' }, 'await Platform.Notifications.send({ title: "x" });'],
  ])('fail like %s with %j', async (name, settings, code) => {
    const [v2, v3] = [await inV2([step(name, settings)]), await inV3(code)];
    const of = ({ details: { errorType, errorMessage } }: Ended) => ({ errorType, errorMessage });
    expect(of(v3)).toEqual(of(v2));
    expect(v3.error).toBe('EXECUTION_FAILED');
  });
});

describe('Platform.DataSources.connect', () => {
  it('inserts the same entries as write-datasource, and logs each', async () => {
    const before = (await entries()).length;
    const logs = async () => (await platform.ask<LogList>('/v1/apps/102/logs?type=dataSource.entry.create')).body.count;
    const logged = await logs();
    const given = [{ a: 1 }, { b: ['x'] }];
    await inV2([step('write-datasource', { dataSourceId: source.id, entries: given })]);
    const { result } = await inV3(
      `const source = await Platform.DataSources.connect(${source.id}); return source.insert(${JSON.stringify(given)});`,
    );
    const added = (await entries()).slice(before);
    expect(added.map(({ data }) => data)).toEqual([...given, ...given]);
    expect(result).toEqual(added.slice(2).map(({ id, data }) => ({ id, data })));
    expect((await logs()) - logged).toBe(4);
  });

  it('inserts one entry, and nothing for an empty array', async () => {
    const before = (await entries()).length;
    const connect = `const source = await Platform.DataSources.connect(${source.id});`;
    expect((await inV3(`${connect} return (await source.insert({ one: true })).data;`)).result).toEqual({ one: true });
    expect((await inV3(`${connect} return source.insert([]);`)).result).toEqual([]);
    expect((await entries()).length).toBe(before + 1);
  });

  it('finds the same entries as read-datasource, by ID and by name', async () => {
    const where = { found: 'yes' };
    await inV3(
      `const source = await Platform.DataSources.connect(${source.id}); await source.insert([${JSON.stringify(where)}, ${JSON.stringify(where)}, { found: 'no' }]);`,
    );
    for (const options of [{ where }, { where, limit: 1 }, { limit: 2 }, {}]) {
      const read = [
        step('read-datasource', { dataSourceId: source.id, ...options }),
        { functionPackage: 'com.platform.function.set-context', settings: { assign: { x: 'records' } } },
      ];
      await inV2(read);
      const query = new URLSearchParams(
        Object.entries(options).map(([key, value]) => [key, JSON.stringify(value)] as [string, string]),
      );
      const { body } = await platform.ask<{ entries: { id: number; data: unknown }[] }>(
        `/v1/data-sources/${source.id}/entries?${query}`,
      );
      const expected = body.entries.map(({ id, data }) => ({ id, data }));
      for (const key of [source.id, source.name])
        expect(
          (
            await inV3(
              `return (await Platform.DataSources.connect(${JSON.stringify(key)})).find(${JSON.stringify(options, null, 1)});`,
            )
          ).result,
        ).toEqual(expected);
    }
  });

  it.each([
    ['read-datasource', { dataSource: 'no such' }, 'return (await Platform.DataSources.connect("no such")).find();'],
    ['read-datasource', {}, 'return (await Platform.DataSources.connect()).find();'],
    ['read-datasource', { dataSourceId: 999_999 }, 'return (await Platform.DataSources.connect(999999)).find();'],
  ])('fails like %s with %j', async (name, settings, code) => {
    const [v2, v3] = [await inV2([step(name, settings)]), await inV3(code)];
    expect([v3.details.errorType, v3.details.errorMessage]).toEqual([v2.details.errorType, v2.details.errorMessage]);
  });
});

describe('function packages', () => {
  it('are loaded if the dependencies list them', async () => {
    const code = 'return Platform.Functions.list().map(({ name }) => name);';
    expect((await inV3(code, [])).result).toEqual([]);
    expect((await inV3(code, ['com.platform.function.wait'])).result).toEqual(['com.platform.function.wait']);
  });

  it('can be called with their settings and a context', async () => {
    const code = `const context2 = { n: 1 };
      return Platform.Functions.get('com.platform.function.return-string')({ message: 'n is {' + '{n}' + '}' }, context2);`;
    expect((await inV3(code, ['com.platform.function.return-string'])).result).toBe('n is 1');
  });
});
