/** Measures conditions against `new Function`, which needs eval, and json-logic-engine’s interpreter, which doesn’t. */
import { LogicEngine } from 'json-logic-engine';
import { compileCondition } from '../../lib/pipeline/index.ts';
import { type Table, interleave, ratio, row } from './measure.ts';

const SOURCE = 'records[0].data.email == "user@example.com"';
const TIMES = 2_000_000;
const contexts = Array.from({ length: 16 }, (_, n) => ({
  trigger: 'log',
  records: [{ id: n, data: { email: n % 2 ? 'user@example.com' : 'other@example.com' } }],
}));

function throughput(test: (context: (typeof contexts)[number]) => unknown, count: number): () => void {
  return () => {
    let held = 0;
    for (let n = 0; n < count; n++) if (test(contexts[n & 15] as (typeof contexts)[number])) held++;
    if (held !== count / 2) throw new Error(`The condition held ${held} times of ${count}.`);
  };
}

export async function bench(): Promise<Table[]> {
  const engine = new LogicEngine();
  const logic = { '==': [{ var: 'records.0.data.email' }, 'user@example.com'] };
  const condition = compileCondition(SOURCE);
  // oxlint-disable-next-line no-new-func, no-implied-eval -- the reference
  const native = new Function('context', `return context.${SOURCE}`) as (context: unknown) => unknown;
  const contenders = [
    { name: 'new Function', units: TIMES, run: throughput(native, TIMES) },
    { name: 'compileCondition', units: TIMES, run: throughput(condition, TIMES), isSubject: true },
    {
      name: 'json-logic-engine, not compiled',
      units: 100_000,
      run: throughput((context) => engine.run(logic, context), 100_000),
    },
  ];
  const samples = await interleave(contenders, 15);
  const rows = contenders.map(({ name }) =>
    row(
      name,
      (samples.get(name) ?? []).map((time) => 1000 / time),
    ),
  );
  const ours = rows[1];
  const rate = 1 / ratio(samples, 'compileCondition', 'new Function');
  if (ours) ours.target = { text: `0.25 of new Function or more: ${rate.toFixed(2)}`, met: rate >= 0.25 };
  return [{ title: `Condition: ${SOURCE}`, unit: 'millions per second', rows }];
}
