/** Both versions really run on two local platforms: the same effects are equal, and any other effect is a difference. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EffectsLab } from '../../../../lib/cli/migrate/effects/lab.ts';
import type { EffectDifference, EffectsReport } from '../../../../lib/cli/migrate/effects/types.ts';
import type { ActionReport, Job, Written } from '../../../../lib/cli/migrate/types.ts';
import type { RecordedRequest, Recording } from '../../../../lib/debugging/recording/format.ts';
import { dependenciesOf, migrate, type V2Action } from '../../../../lib/migrate/index.ts';
import type { Pipeline } from '../../../../lib/pipeline/index.ts';
import { step } from '../../../platform/support/page.ts';

const email = (to: string) => step('send-email', { to, subject: 'Hello', html: '<p>{{name}}</p>' });

/** Two emails, an entry, a request, and a result. */
const FUNCTIONS: Pipeline = [
  email('one@example.com'),
  email('two@example.com'),
  step('write-datasource', { dataSourceId: 503, entries: [{ name: '{{name}}', at: 1 }] }),
  step('http-request', {
    url: 'https://api.example.com/people?name={{name}}',
    method: 'POST',
    headers: { 'X-Kind': 'person' },
    body: { name: '{{name}}' },
  }),
  step('if', { condition: 'name === "Zoe"' }, [step('fail', { message: 'No {{name}}' })]),
  step('return-string', { message: 'Welcome, {{name}} ({{response.status}})' }),
];

function job(action: Partial<V2Action> = {}, requests: RecordedRequest[] = []): Job {
  const recordings = [{ requests }] as Recording[];
  return {
    action: { name: 'greets', functions: FUNCTIONS, ...action },
    recordings,
    sources: new Map(),
    dataSources: new Map([['People', 502]]),
    masked: [],
  };
}

/** @param edit makes a mistake in the code */
function written({ action, ...options }: Job, edit: (code: string) => string = (code) => code): Written {
  const migrated = migrate(action, options);
  if (!migrated.ok) throw new Error(migrated.error.message);
  const { code, action: draft, report } = migrated.value;
  const edited = edit(code);
  const dependencies = dependenciesOf(edited);
  return { code: edited, draft: { ...draft, dependencies }, report: report as unknown as ActionReport };
}

const INPUTS = ['Ada', 'Bo <b>', 'Zoe'].map((name) => ({ payload: { name } }));

describe('an action that sends, writes, requests, and returns', () => {
  let reports: EffectsReport[];
  beforeAll(async () => {
    const lab = new EffectsLab();
    reports = await lab.prove(job(), written(job()), INPUTS);
    await lab.close();
  });

  test.each(['plain', 'envelope'])('has the same effects as a V3 action with the profile %s', (profile) => {
    const { state, runs } = reports.find((report) => report.profile === profile)!;
    expect({ state, differences: runs.flatMap(({ differences }) => differences) }).toEqual({
      state: 'equal',
      differences: [],
    });
  });

  test('really has effects in each run', () => {
    for (const { runs } of reports)
      expect(runs.map(({ messages, entries, requests }) => ({ messages, entries, requests }))).toEqual([
        { messages: 2, entries: 1, requests: 1 },
        { messages: 2, entries: 1, requests: 1 },
        { messages: 2, entries: 1, requests: 1 },
      ]);
  });
});

describe('a mistake in the code', () => {
  let inRun: EffectDifference[];
  let inFailure: EffectDifference[];
  let inOrder: EffectDifference[];
  const replacing =
    (...pairs: [right: string | RegExp, wrong: string][]) =>
    (code: string): string =>
      pairs.reduce((text, [right, wrong]) => {
        expect(text).toMatch(right);
        return text.replace(right, wrong);
      }, code);

  beforeAll(async () => {
    const lab = new EffectsLab({ profiles: ['plain'] });
    /** What the first differing run found. */
    const found = async (payload: Record<string, unknown>, edit: (code: string) => string) => {
      const [report] = await lab.prove(job(), written(job(), edit), [{ payload }]);
      expect(report).toEqual(expect.objectContaining({ state: 'differs' }));
      return report!.runs.at(-1)!.differences;
    };
    inRun = await found(
      { name: 'Ada' },
      replacing(
        ...([
          ['one@', 'x@'],
          ['two@', 'one@'],
          ['x@', 'two@'],
        ] as [string, string][]),
        [/await insertEntries\(/, 'if (0) await insertEntries('],
        ["'X-Kind': 'person'", "'X-Kind': 'company'"],
        ['Welcome', 'Hello'],
      ),
    );
    const more = "await Platform.Notifications.send({ title: 'More', message: 'More' });";
    inFailure = await found(
      { name: 'Zoe' },
      replacing(['throw new Error(`No', `{ ${more} } throw new TypeError(\`No`]),
    );
    const notify = "await Platform.Notifications.send({ title: 'Later', message: 'Later' });";
    const insert = 'await insertEntries(503, [{ at: 1 }]);';
    const swapping = job({
      functions: [
        step('send-notification', { title: 'Later', message: 'Later' }),
        step('write-datasource', { dataSourceId: 503, entries: [{ at: 1 }] }),
        step('http-request', { url: 'https://api.example.com/' }),
      ],
    });
    const swap = replacing([/await Platform.*;/, 'FIRST'], [/await insert.*;/, notify], ['FIRST', insert]);
    const [report] = await lab.prove(swapping, written(swapping, swap), [{ payload: {} }]);
    inOrder = report!.runs.at(-1)!.differences;
    await lab.close();
  });

  test('that writes an entry before it sends a notification, not after', () => {
    expect(inOrder).toEqual([{ what: 'order', index: 0, place: '', v2: 'message', v3: 'entry' }]);
  });

  test('that swaps two emails', () => {
    expect(inRun.filter(({ what }) => what === 'message')).toEqual([
      { what: 'message', index: 0, place: '/to', v2: 'one@example.com', v3: 'two@example.com' },
      { what: 'message', index: 1, place: '/to', v2: 'two@example.com', v3: 'one@example.com' },
    ]);
  });

  test('that leaves out an entry', () => {
    expect(inRun.filter(({ what }) => what === 'entry')).toEqual([
      { what: 'entry', index: 0, place: '', v2: { dataSourceId: 503, data: { name: 'Ada', at: 1 } } },
    ]);
  });

  test('in a header of a request', () => {
    expect(inRun.filter(({ what }) => what === 'request')).toEqual([
      { what: 'request', index: 0, place: '/headers/x-kind', v2: 'person', v3: 'company' },
    ]);
  });

  test('in the result', () => {
    expect(inRun.filter(({ what }) => what === 'result')).toEqual([
      { what: 'result', place: '', v2: 'Welcome, Ada (200)', v3: 'Hello, Ada (200)' },
    ]);
  });

  test('that sends a message too many', () => {
    expect(inFailure.filter(({ what }) => what === 'message')).toEqual([
      { what: 'message', index: 2, place: '', v3: { kind: 'notification', title: 'More', message: 'More' } },
    ]);
  });

  test('in a failure', () => {
    expect(inFailure.filter(({ what }) => what === 'failure')).toEqual([
      {
        what: 'failure',
        place: '',
        v2: { name: 'Error', message: 'No Zoe' },
        v3: { name: 'TypeError', message: 'No Zoe' },
      },
    ]);
  });
});

describe('a run', () => {
  let lab: EffectsLab;
  beforeAll(() => void (lab = new EffectsLab({ profiles: ['plain'], timeLimit: 3_000 })));
  afterAll(() => lab.close());
  const report = async (own: Job, app?: number): Promise<EffectsReport> =>
    (await lab.prove(own, written(own), [{ payload: {} }], app))[0]!;
  const returning = (message: string): Job => job({ functions: [step('return-string', { message })] });

  test('sees the same time on both platforms', async () => {
    expect(await report(returning('{{Date.now()}} {{Date()}}'))).toMatchObject({ state: 'equal' });
  });

  test('sees the same random numbers on both platforms, and stores what they are', async () => {
    const source = `Platform.Functions.register('com.acme.chance', async (settings, context) => {
      const [byte] = crypto.getRandomValues(new Uint8Array(1));
      context.chance = [Math.random(), crypto.randomUUID(), byte];
    });`;
    const own = job({
      functions: [
        { functionPackage: 'com.acme.chance' },
        step('set-context', { assign: { own: 'Math.random()' } }),
        step('write-datasource', { dataSourceId: 503, entries: [{ chance: '{{chance}}', own: '{{own}}' }] }),
        step('return-string', { message: '{{own}}' }),
      ],
    });
    own.sources = new Map([['com.acme.chance', source]]);
    expect(await report(own)).toMatchObject({ state: 'equal', runs: [{ entries: 1, differences: [] }] });
    const edited = written(own, (code) => code.replace('const data', 'Math.random();\n  const data'));
    const [found] = await lab.prove(own, edited, [{ payload: {} }]);
    expect(found!.runs[0]!.differences.map(({ what, place }) => what + place)).toContain('entry/data/own');
  });

  test('has the packages of its own action only, whatever those of the one before it register', async () => {
    const calling = (...names: string[]): Pipeline => names.map((functionPackage) => ({ functionPackage }));
    const first = job({ functions: calling('../a', 'b') });
    first.sources = new Map([
      ['../a', 'Platform.Functions.register("../a", () => 1);'],
      ['b', 'for (const name of ["b", "__proto__"]) Platform.Functions.register(name, () => 2);'],
    ]);
    expect(await report(first)).toMatchObject({ state: 'equal' });
    const next = job({ functions: calling('__proto__') });
    next.sources = new Map([['__proto__', 'Platform.Functions.register("__proto__", () => 3);']]);
    expect(await report(next)).toMatchObject({ state: 'equal', runs: [{ differences: [] }] });
  });

  test('of code that isn’t complete isn’t made', async () => {
    const unknown = job({ functions: [{ functionPackage: 'com.acme.unknown' }] });
    expect(await report(unknown)).toMatchObject({
      state: 'unknown',
      reason: 'The code isn’t complete, so that it wasn’t run.',
    });
  });

  test('gets the recorded response of a request, which isn’t sent', async () => {
    const url = 'https://api.example.com/count';
    const functions = [
      step('http-request', { url }),
      step('return-string', { message: '{{response.status}}: {{response.body.count}}' }),
    ];
    const recorded: RecordedRequest = {
      at: 0,
      method: 'GET',
      url,
      status: 418,
      responseHeaders: [['content-type', 'application/json']],
      responseBody: { text: '{"count": 12}' },
    };
    const own = job({ functions }, [recorded]);
    const edited = written(own, (code) => code.replace('return `', 'return `not '));
    const [found] = await lab.prove(own, edited, [{ payload: {} }]);
    expect(found!.runs[0]!.differences).toEqual([{ what: 'result', place: '', v2: '418: 12', v3: 'not 418: 12' }]);
  });

  test('that fails in V2’s engine is never equal: V3 fails in other words', async () => {
    const failing = job({ functions: [step('set-context', { assign: { name: 'person.name.first' } })] });
    expect(await report(failing)).toMatchObject({
      state: 'unknown',
      reason: 'Both versions failed, but conditions and loops fail in other words in V3.',
      runs: [{ differences: [] }],
    });
  });

  test('of an action that V3 refuses isn’t made', async () => {
    const every = { triggers: [{ trigger: 'schedule' }], frequency: '* * * * *' };
    expect(await report(job({ ...returning('x').action, ...every }))).toMatchObject({
      state: 'unknown',
      reason: expect.stringMatching(/^V3 refuses the action: /),
    });
  });

  test('for an app that the local platform doesn’t have isn’t made', async () => {
    expect(await report(returning('x'), 4711)).toMatchObject({
      state: 'unknown',
      reason: 'Nothing was run, because the local platform has no data of app 4711.',
    });
  });

  test('that doesn’t end says nothing', async () => {
    expect(await report(job({ functions: [step('wait', { ms: 60_000 })] }))).toEqual({
      profile: 'plain',
      state: 'unknown',
      reason: 'The run doesn’t end in time.',
      runs: [],
    });
  });
});
