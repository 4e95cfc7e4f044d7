/** What the platform’s packages do in V2, as calls of V3’s API. */
import { LostValueError } from '../../debugging/recording/values.ts';
import { compileCondition, fill } from '../../pipeline/index.ts';
import type { Context, PipelineStep } from '../../pipeline/types.ts';
import { packageOf } from '../effects.ts';
import { OWN_PACKAGES } from '../packages/index.ts';

export type Call = [name: string, ...args: unknown[]];

type Settings = Readonly<Record<string, unknown>>;
type Fill = (value: unknown, escape?: 'html') => unknown;
type Expect = (settings: Settings, filled: Fill, dataSources: ReadonlyMap<string, number>) => Call[];

const message =
  (call: string, names: readonly string[]): Expect =>
  (settings, filled) => {
    const entries = names.map((name) => [name, filled(settings[name], name === 'html' ? 'html' : undefined)] as const);
    return entries.every(([, value]) => typeof value === 'string') ? [[call, Object.fromEntries(entries)]] : [];
  };

const EXPECTED: ReadonlyMap<string, Expect> = new Map<string, Expect>([
  ['com.platform.function.send-email', message('Communicate.sendEmail', ['to', 'subject', 'html'])],
  ['com.platform.function.send-notification', message('Notifications.send', ['title', 'message'])],
  ['com.platform.function.wait', ({ ms }) => [['setTimeout', ms]]],
  [
    'com.platform.function.read-datasource',
    ({ dataSourceId, dataSource, where, limit }, filled, dataSources) => {
      const id = dataSourceId ?? (typeof dataSource === 'string' ? dataSources.get(dataSource) : dataSource);
      if (!Number.isInteger(id)) return [];
      const query = { ...(where !== undefined && { where: filled(where) }), ...(limit !== undefined && { limit }) };
      return [
        ['DataSources.connect', id],
        ['find', query],
      ];
    },
  ],
  [
    'com.platform.function.write-datasource',
    ({ dataSourceId, entries }, filled) => {
      const list = filled(entries);
      if (!Array.isArray(list) || list.length === 0) return [];
      return [['DataSources.connect', dataSourceId], ...list.map((entry): Call => ['insert', entry])];
    },
  ],
  [
    'com.platform.function.http-request',
    (settings, filled) => {
      const { url, method = 'GET', headers: given = {}, body } = filled({ ...settings }) as Settings;
      if (typeof url !== 'string') return [];
      const headers = new Headers(given as HeadersInit);
      const isText = body === undefined || typeof body === 'string';
      if (!isText && !headers.has('content-type')) headers.set('content-type', 'application/json');
      return [['fetch', url, method, [...headers], isText ? body : JSON.stringify(body)]];
    },
  ],
]);

/** The calls of a step in V2. None if the step fails before its first one. */
export function expectedCalls(
  step: PipelineStep,
  context: Context,
  dataSources: ReadonlyMap<string, number> = new Map(),
): Call[] {
  const name = packageOf(step);
  const settings = step.settings ?? {};
  if (!OWN_PACKAGES.has(name)) return [['package', name, settings]];
  const expect = EXPECTED.get(name);
  if (!expect) return [];
  const filled: Fill = (value, escape) => fill(value, (source) => compileCondition(source)(context), { escape });
  try {
    return expect(settings, filled, dataSources);
  } catch (thrown) {
    if (thrown instanceof LostValueError) throw thrown;
    return [];
  }
}
