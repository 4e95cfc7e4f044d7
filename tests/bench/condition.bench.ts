/** Measures conditions against `new Function`, which needs eval, and json-logic-engine’s interpreter, which doesn’t. */
import { LogicEngine } from 'json-logic-engine';
import { compileCondition } from '../../lib/pipeline/index.ts';
import { type Table, interleave, median, row } from './measure.ts';

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
    { name: 'compileCondition', units: TIMES, run: throughput(condition, TIMES) },
    {
      name: 'json-logic-engine, not compiled',
      units: 100_000,
      run: throughput((context) => engine.run(logic, context), 100_000),
    },
  ];
  const samples = await interleave(contenders, 15);
  const rates = (name: string): number[] => (samples.get(name) ?? []).map((time) => 1000 / time);
  const rows = contenders.map(({ name }) => row(name, rates(name)));
  const [reference, ours] = rows;
  if (reference && ours) {
    // The ratio of each round: what slows the machine slows both.
    const ratio = median(rates(ours.name).map((rate, round) => rate / (rates(reference.name)[round] as number)));
    ours.target = { text: `at least 0.25 of new Function: ${ratio.toFixed(2)}`, met: ratio >= 0.25 };
  }
  return [{ title: `Condition: ${SOURCE}`, unit: 'millions per second', rows }];
}
