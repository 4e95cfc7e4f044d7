/** What a migration returns: code, the other properties, and a report for each step. */
import { describe, expect, test } from 'vitest';
import { migrate, migrateWithPauses } from '../../../lib/migrate/index.ts';
import type { PipelineStep } from '../../../lib/pipeline/index.ts';
import { FIELD_SERVICE_ACTIONS } from '../../../lib/local-platform/db/seed/field-service-actions.ts';
import { migrated } from './run-both.ts';

const step = (name: string, settings: Record<string, unknown> = {}): PipelineStep => ({
  functionPackage: `com.platform.function.${name}`,
  settings,
});
const nested = (depth: number): PipelineStep[] =>
  depth === 0
    ? [step('return-string', { message: 'deep' })]
    : [{ type: 'if', conditions: [{ condition: 'true', functions: nested(depth - 1) }] }];

test('reads like code that a person wrote', () => {
  const notifyAdmins = FIELD_SERVICE_ACTIONS.find(({ name }) => name === 'notify-admins');
  const { code } = migrated(notifyAdmins as never, { dataSources: new Map([['People', 502]]) });
  expect(code.slice(0, code.indexOf('\n\n  /** A value within text'))).toBe(
    `
/** Migrated from the V2 action notify-admins. Comments such as “/0” are the paths of its steps. */
async function execute(context) {
  const data = { ...context.payload };

  // /0
  data.records = await readEntries(502, { limit: 40 });

  // /1
  data.notified = 0;

  // /2
  for (const record of data.records) {
    // /2/functions/0
    if (record.data.Admin == true) {
      // /2/functions/0/conditions/0/functions/0
      await Platform.Communicate.sendEmail({
        to: requireString(record.data.email, 'send-email', 'to'),
        subject: 'A visit was checked out',
        html: \`<p>Hello \${html(record.data.name)}, please review the check-outs.</p>\`,
      });
      // /2/functions/0/conditions/0/functions/0/functions/0
      if (record.data.city === 'Utrecht') {
        // /2/functions/0/conditions/0/functions/0/functions/0/functions/0
        await Platform.Notifications.send({
          title: 'Check-outs',
          message: \`New check-outs for \${text(record.data.name)}\`,
        });
      }
      // /2/functions/0/conditions/0/functions/0/functions/1
      data.notified += 1;
    }
  }

  // /3
  return \`\${data.notified} of \${data.records.length} people notified\`;`.trimStart(),
  );
});

test('writes out the properties whose defaults differ', () => {
  expect(
    migrated({ name: 'plain', functions: [step('send-email', { to: 'a', subject: 's', html: 'h' })] }).action,
  ).toEqual({
    name: 'plain',
    description: null,
    active: false,
    environment: 'any',
    triggers: [{ trigger: 'manual' }],
    dependencies: ['platform-communicate'],
    frequency: null,
    timezone: null,
    actionVersion: 'v3',
  });
});

test('the report has the line of each step', () => {
  const { code, report } = migrated({
    name: 'lines',
    functions: [step('set-context', { assign: { a: '1' } }), ...nested(2)],
  });
  const lines = code.split('\n');
  expect(report.steps.map(({ path, line }) => [path, lines[(line ?? 0) - 1]?.trim()])).toEqual([
    ['/0', '// /0'],
    ['/1', '// /1'],
    ['/1/conditions/0/functions/0', '// /1/conditions/0/functions/0'],
    ['/1/conditions/0/functions/0/conditions/0/functions/0', '// /1/conditions/0/functions/0/conditions/0/functions/0'],
  ]);
});

describe('a step that can’t be translated throws at its place, and the report says why', () => {
  test.each<[string, PipelineStep, string, RegExp]>([
    ['an unknown package', { functionPackage: 'com.acme.unknown' }, 'blocked', /source of the package isn’t known/],
    ['a package with eval', { functionPackage: 'eval' }, 'blocked', /uses eval/],
    ['a package of a page', { functionPackage: 'dom' }, 'blocked', /uses document/],
    ['a package that needs the platform', { functionPackage: 'request' }, 'needs-person', /uses Platform\.request/],
    ['a package that loads scripts', { functionPackage: 'loads' }, 'needs-person', /uses importScripts, which V3/],
    ['a package of Node', { functionPackage: 'node' }, 'needs-person', /uses process, which V3 doesn’t have/],
    ['a package that isn’t JavaScript', { functionPackage: 'broken' }, 'blocked', /isn’t valid JavaScript/],
    [
      'a condition in code',
      { type: 'if', conditions: [{ condition: () => true, functions: [] }] },
      'blocked',
      /condition is a function/,
    ],
    ['a relative URL', step('http-request', { url: '/v1/status' }), 'needs-person', /no base URL/],
    [
      'a data source by name',
      step('read-datasource', { dataSource: 'People' }),
      'needs-person',
      /ID of the data source "People"/,
    ],
    [
      'an expression that V2 refuses',
      step('return-string', { message: '{{a =}}' }),
      'needs-person',
      /V2 can’t evaluate "a =" either/,
    ],
    [
      'a global that V2 doesn’t have',
      step('return-string', { message: '{{Object.assign(a)}}' }),
      'needs-person',
      /no Object\.assign/,
    ],
    [
      'settings that aren’t JSON',
      { functionPackage: 'fine', settings: { at: new Date(0) } },
      'needs-person',
      /isn’t JSON/,
    ],
  ])('%s', async (_, failing, level, reason) => {
    const sources = new Map([
      ['eval', "Platform.Functions.register('eval', () => eval('1'));"],
      ['dom', "Platform.Functions.register('dom', () => document.title);"],
      ['loads', "Platform.Functions.register('loads', ({ url }) => importScripts(url));"],
      ['node', "Platform.Functions.register('node', (settings = process.env) => settings);"],
      ['request', "Platform.Functions.register('request', () => Platform.request('x'));"],
      ['broken', 'Platform.Functions.register('],
      ['fine', "Platform.Functions.register('fine', () => 1);"],
    ]);
    const { code, report } = migrated({ name: 'x', functions: [step('wait', { ms: 0 }), failing] }, { sources });
    expect(report.level).toBe(level);
    expect(report.steps[1]).toMatchObject({ path: '/1', level, reasons: [expect.stringMatching(reason)] });
    // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
    const execute = (new Function(`${code}\nreturn execute;`) as () => (context: object) => Promise<unknown>)();
    await expect(execute({ payload: {} })).rejects.toThrow(/^\/1(?:\/conditions\/0)? isn’t migrated: /);
  });
});

test.each([
  [[{ a: 1 }], 'idiomatic', []],
  [[{ a: 1 }, { a: 2 }], 'faithful', [expect.stringContaining('V2 adds all entries or none.')]],
  ['{{records}}', 'faithful', [expect.stringContaining('V2 adds all entries or none.')]],
])('entries that V3 can’t add at once are reported: %j', (entries, level, reasons) => {
  const functions = [step('write-datasource', { dataSourceId: 1, entries })];
  expect(migrated({ name: 'x', functions }).report.steps).toMatchObject([{ level, reasons }]);
});

test('a package’s own names can be those of pages, and keys and labels are no names', () => {
  const source = `
    const { location, ...rest } = { location: 1, window: 2 };
    class Image { alert = 3; get name() { return this.navigator; } }
    document: for (const [confirm, { status: [open] = [] }] of []) { if (confirm) continue document; }
    Platform.Functions.register('own', function register({ history = location }, context) {
      try { total = history; } catch (event) { return [event, rest, open, arguments, new.target, Image, register]; }
      return Uint8Array.of(total);
    });`;
  const { report } = migrated(
    { name: 'x', functions: [{ functionPackage: 'own' }] },
    { sources: new Map([['own', source]]) },
  );
  expect(report.steps[0]).toMatchObject({ level: 'faithful' });
});

test('an action that runs a screen needs a person', () => {
  const { code, report } = migrated({ name: 'screen', functions: [], pageId: 2002 });
  expect(report).toMatchObject({ level: 'needs-person', steps: [{ path: '', name: 'screen' }] });
  expect(code).toContain('Move the handler’s body here.');
});

test.each<[object]>([
  [{ type: 'loop', items: 'a', range: { from: 1, to: 2 } }],
  [{ type: 'later' }],
  [{ type: 'if', conditions: [{ condition: 'a =', functions: [] }] }],
])('a pipeline that V2 refuses is refused: %j', (failing) => {
  expect(migrate({ name: 'x', functions: [step('wait', { ms: 0 }), failing as never] })).toMatchObject({
    ok: false,
    error: { code: 'PIPELINE_INVALID', details: [{ path: expect.stringMatching(/^\/1/) }], hint: expect.any(String) },
  });
});

describe('sources of packages', () => {
  test('keep their meaning without two braces in a row', () => {
    const source =
      "Platform.Functions.register('p', function () { const a = {x:{y:1}}; return `{{${a.x.y}}}` + '{{}}' + /{{/.exec('a{{')[0]; });";
    const { code } = migrated(
      { name: 'x', functions: [{ functionPackage: 'p' }] },
      { sources: new Map([['p', source]]) },
    );
    expect(code).not.toMatch(/\{\{|\}\}/);
    // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
    const execute = (new Function(`${code}\nreturn execute;`) as () => (context: object) => Promise<unknown>)();
    return expect(execute({ payload: {} })).resolves.toBe('{{1}}{{}}{{');
  });

  test('are in the code only if a step uses them', () => {
    const sources = new Map([['p', "Platform.Functions.register('p', () => 1);"]]);
    expect(migrated({ name: 'x', functions: [step('wait', { ms: 1 })] }, { sources }).code).not.toContain(
      'functionPackages',
    );
  });
});

describe('big actions', () => {
  test('pause between steps, and end the same', async () => {
    const action = {
      name: 'big',
      functions: [step('wait', { ms: 1 }), ...nested(3), step('fail', { message: '{{a}}' })],
    };
    const pauses: number[] = [];
    const found = await migrateWithPauses(action, {}, async (done) => void pauses.push(done));
    expect(found).toEqual(migrate(action));
    expect(pauses).toEqual([0, 1, 2, 3, 3]);
  });
  test('10,000 steps', () => {
    const functions = Array.from({ length: 10_000 }, (_, index) =>
      step('set-context', { assign: { a: String(index) } }),
    );
    const { report } = migrated({ name: 'big', functions });
    expect(report.steps).toHaveLength(10_000);
    expect(report.steps.every(({ line }) => line !== null)).toBe(true);
  });
  test('99 levels', () => expect(migrated({ name: 'deep', functions: nested(99) }).report.steps).toHaveLength(100));
});
