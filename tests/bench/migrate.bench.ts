/** Measures migrations: 10,000 steps translated, and proofs beside plain replays of the same recordings. */
import { Script } from 'node:vm';
import { record, type Recording, replay } from '../../lib/debugging/index.ts';
import { generateRuns, type LoadCode, migrate, type Migration, prove, strengthOf } from '../../lib/migrate/index.ts';
import type { Pipeline, PipelineFunction, PipelineStep } from '../../lib/pipeline/index.ts';
import { interleave, median, ratio, type Row, row, type Table } from './measure.ts';

const STEPS = 10_000;
const ITEMS = 3_000;
/** Milliseconds. */
const TRANSLATED = 1_000;
const STRENGTH = 400;
/** How many times as long as a replay. */
const TIMES = 12;
/** If each step changes an object in place: the code’s object changes, too, and both are compared again. */
const CHANGING_TIMES = 16;

const PACKAGE = 'com.platform.function';
const set = (assign: Record<string, string>): PipelineStep => ({
  functionPackage: `${PACKAGE}.set-context`,
  settings: { assign },
});
const email: PipelineStep = {
  functionPackage: `${PACKAGE}.send-email`,
  settings: { to: '{{currentItem.email}}', subject: 'Order {{currentItem.id}}', html: '<p>{{currentItem.name}}</p>' },
};

const LONG: Pipeline = Array.from({ length: STEPS / 2 }, (_, index) => [
  set({ [`a${index % 50}`]: `(n ?? 0) + ${index}` }),
  { type: 'if', conditions: [{ condition: `n > ${index}`, functions: [set({ m: 'n' })] }] } satisfies PipelineStep,
]).flat();

/** A loop over orders, an email for some of them. */
const ORDERS: Pipeline = [
  {
    type: 'loop',
    items: 'orders',
    functions: [
      { type: 'if', conditions: [{ condition: 'currentItem.total > 50', functions: [email] }] },
      set({ sum: '(sum ?? 0) + currentItem.total' }),
    ],
  },
];
/** A loop whose package changes each order in place. */
const TAXED: Pipeline = [{ type: 'loop', items: 'orders', functions: [{ functionPackage: 'tax', settings: {} }] }];
const TAX = `Platform.Functions.register('tax', (settings, { currentItem }) => void (currentItem.total += 1));`;
const ordersOf = (count: number) => ({
  orders: Array.from({ length: count }, (_, id) => ({
    id,
    email: `${id}@example.com`,
    name: `Name ${id}`,
    total: id % 100,
    lines: [{ sku: 'a', count: 1 }],
  })),
});

/** What the packages do in V2, as far as the context sees it. */
const functions = new Map<string, PipelineFunction>([
  [`${PACKAGE}.send-email`, () => undefined],
  ['tax', (_, { currentItem }) => void ((currentItem as { total: number }).total += 1)],
  [`${PACKAGE}.set-context`, ({ assign }, context) => setAll(assign as Record<string, string>, context)],
]);

function setAll(assign: Readonly<Record<string, string>>, context: Record<string, unknown>): void {
  const { n = 0, sum = 0, currentItem } = context as { n?: number; sum?: number; currentItem?: { total: number } };
  for (const [name, source] of Object.entries(assign))
    context[name] = name === 'sum' ? sum + currentItem!.total : name === 'm' ? n : n + Number(source.split('+ ')[1]);
}

const load: LoadCode = (code, names) =>
  new Script(
    `(function (${names.join(', ')}) {'use strict';\n${code}\nreturn execute;\n})`,
  ).runInThisContext() as never;

function migrated(pipeline: Pipeline): Migration {
  const found = migrate({ name: 'bench', functions: pipeline }, { sources: new Map([['tax', TAX]]) });
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

async function recorded(pipeline: Pipeline, payload: Record<string, unknown>): Promise<Recording> {
  const { recording } = await record(pipeline, { payload, functions });
  return JSON.parse(JSON.stringify(recording)) as Recording;
}

/** A proof and a replay of the same recording. */
async function contendersOf(name: string, pipeline: Pipeline, payload: Record<string, unknown>) {
  const recording = await recorded(pipeline, payload);
  const { code, report } = migrated(pipeline);
  const proved = async (): Promise<void> => {
    const { comparisons } = await prove({ code, steps: report.steps }, pipeline, { load, recordings: [recording] });
    const [comparison] = comparisons;
    if (!comparison?.isWhole || comparison.differences.length > 0) throw new Error(`${name} isn’t equal.`);
  };
  return [
    { name: `replay of ${name}`, units: 1, run: () => replay(recording) },
    { name: `proof of ${name}`, units: 1, run: proved, isSubject: true },
  ];
}

/** How many of the wrong versions of an action’s code its runs find, with those that are generated. */
async function strength(): Promise<void> {
  const recordings = [await recorded(ORDERS, ordersOf(4))];
  const generated = await generateRuns(ORDERS, { recordings, tries: 100 });
  const { caught } = await strengthOf(migrated(ORDERS).code, { load, recordings, generated });
  if (caught === 0) throw new Error('No mistake was found.');
}

export async function bench(): Promise<Table[]> {
  const [long, loop, taxed] = ['a run of 10,000 steps', 'a loop of 3,000 items', 'a loop that changes 3,000 items'];
  const contenders = [
    { name: 'translation of 10,000 steps', units: 1, run: () => migrated(LONG), isSubject: true },
    ...(await contendersOf(long!, LONG, { n: 3 })),
    ...(await contendersOf(loop!, ORDERS, ordersOf(ITEMS))),
    ...(await contendersOf(taxed!, TAXED, ordersOf(ITEMS))),
    { name: 'strength of the runs of an action', units: 1, run: strength, isSubject: true },
  ];
  const samples = await interleave(contenders, 5, 1);
  const milliseconds = (name: string): number[] => (samples.get(name) ?? []).map((nanoseconds) => nanoseconds / 1e6);
  const targets = new Map([
    [contenders[0]!.name, TRANSLATED],
    [contenders.at(-1)!.name, STRENGTH],
  ]);
  const rows = contenders.map(({ name }): Row => {
    const [samples, target] = [milliseconds(name), targets.get(name)];
    if (target === undefined) return row(name, samples);
    return { ...row(name, samples), target: { text: `${target} ms or less`, met: median(samples) <= target } };
  });
  const limits = new Map([
    [long, TIMES],
    [loop, TIMES],
    [taxed, CHANGING_TIMES],
  ]);
  const times = [...limits].map(([name, limit]): Row => {
    const value = ratio(samples, `proof of ${name}`, `replay of ${name}`);
    const text = `at most ${limit}x the replay: ${value.toFixed(1)}x`;
    return { ...row(`proof of ${name}, times its replay`, [value]), target: { text, met: value <= limit } };
  });
  return [{ title: 'Migration to V3', unit: 'ms of processor time', rows: [...rows, ...times] }];
}
