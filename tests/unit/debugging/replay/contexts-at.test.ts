/** Tests the contexts before and after steps of recorded runs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lost } from '../../../../lib/debugging/recording/values.ts';
import { contextsAt } from '../../../../lib/debugging/replay/contexts-at.ts';
import type { Context, Pipeline } from '../../../../lib/pipeline/index.ts';
import { payload, pipeline } from '../../pipeline/random-pipelines.ts';
import { record } from '../record.ts';
import { doubledValue } from '../doubled-value.ts';
import { MORE, textOf } from '../watched-run.ts';

const functions = {
  add: (_: unknown, context: Context) => {
    const { list } = context as { list: { n: number }[] };
    list.push({ n: list.length });
    list[0]!.n += 10;
  },
};
const ADD = { functionPackage: 'add' };

describe('the contexts of a recorded run', () => {
  it('are those before and after each step, and don’t share objects', async () => {
    const { recording } = await record([ADD, ADD, ADD], functions, { payload: { list: [{ n: 0 }] } });
    const found = await contextsAt(recording, [1, 0]);
    expect(found.get(0)).toEqual({ before: { list: [{ n: 0 }] }, after: { list: [{ n: 10 }, { n: 1 }] } });
    expect(found.get(1)!.before).toEqual({ list: [{ n: 10 }, { n: 1 }] });
    expect(found.get(1)!.after).toEqual({ list: [{ n: 20 }, { n: 1 }, { n: 2 }] });
    expect([...found.keys()].sort()).toEqual([0, 1]);
  });

  it('of a loop are those around it, and of its steps those with the current item', async () => {
    const loop: Pipeline = [{ type: 'loop', items: 'list', functions: [ADD] }];
    const { recording } = await record(loop, functions, { payload: { list: [{ n: 0 }, { n: 5 }] } });
    const found = await contextsAt(recording, [0, 2]);
    expect(found.get(0)!.before).toEqual({ list: [{ n: 0 }, { n: 5 }] });
    expect(found.get(0)!.after).toEqual({ list: [{ n: 20 }, { n: 5 }, { n: 2 }, { n: 3 }] });
    expect(found.get(2)!.before).toMatchObject({ currentIndex: 1, currentItem: { n: 5 } });
  });

  it('have what is at many places once', async () => {
    const { after } = (await contextsAt(doubledValue(100), [100])).get(100)!;
    const { left, right } = after['value'] as { left: object; right: object };
    expect(left).toBe(right);
  });

  it('are left out for steps that the recording doesn’t have', async () => {
    const { recording } = await record([ADD], functions, { payload: { list: [{ n: 0 }] } });
    expect(await contextsAt(recording, [-1, 1, 0.5])).toEqual(new Map());
  });

  it('have lost values that throw, with their reason, and own properties of any name', async () => {
    const { recording } = await record([ADD], functions, { payload: { list: [{ n: 0 }], secret: 1 } });
    const secret = JSON.stringify(lost('masked'));
    recording.payload = JSON.parse(
      `{"list": [{"n": 0}], "secret": ${secret}, "__proto__": {"polluted": true}}`,
    ) as never;
    const { before } = (await contextsAt(recording, [0])).get(0)!;
    expect(() => before.secret).toThrow('it was masked as a secret');
    expect(Object.keys(before)).toEqual(['list', 'secret', '__proto__']);
    expect(before['polluted']).toBeUndefined();
  });

  it('are those of the run', () =>
    fc.assert(
      fc.asyncProperty(pipeline, payload, async (steps, given) => {
        const seen: { before: string; after: string }[] = [];
        const open: { before: string; after: string }[] = [];
        const { recording } = await record(steps, MORE, {
          payload: given,
          observer: {
            before: ({ context }) => {
              const contexts = { before: textOf(context), after: '' };
              open.push(contexts);
              seen.push(contexts);
            },
            after: ({ context }) => void (open.pop()!.after = textOf(context)),
          },
        });
        const found = await contextsAt(recording, [...seen.keys()]);
        expect(
          seen.map((_, index) => ({
            before: textOf(found.get(index)!.before),
            after: textOf(found.get(index)!.after),
          })),
        ).toEqual(seen);
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    ));
});
