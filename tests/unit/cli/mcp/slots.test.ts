/** Tests how many calls of the MCP server work at the same time. */
import { describe, expect, it } from 'vitest';
import { Slots } from '../../../../lib/cli/mcp/slots.ts';

const NEVER = new AbortController().signal;

describe('slots', () => {
  it('let only so many calls work, in the order of the calls', async () => {
    const slots = new Slots(2, 100);
    let [working, most] = [0, 0];
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        slots.run(NEVER, async () => {
          order.push(index);
          most = Math.max(most, ++working);
          await new Promise((resolve) => setImmediate(resolve));
          working--;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('refuse a call if too many are waiting, and take calls again later', async () => {
    const slots = new Slots(1, 1);
    const { promise, resolve } = Promise.withResolvers<string>();
    const calls = [1, 2].map(() => slots.run(NEVER, () => promise));
    await expect(slots.run(NEVER, () => promise)).rejects.toMatchObject({ code: 'TOO_MANY_CALLS' });
    resolve('done');
    expect(await Promise.all(calls)).toEqual(['done', 'done']);
    expect(await slots.run(NEVER, () => promise)).toBe('done');
  });

  it('are free again after a failure', async () => {
    const slots = new Slots(1, 1);
    await expect(slots.run(NEVER, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await slots.run(NEVER, () => Promise.resolve(1))).toBe(1);
  });

  it('let a waiting call be canceled, which then never works', async () => {
    const slots = new Slots(1, 5);
    const { promise, resolve } = Promise.withResolvers<number>();
    const first = slots.run(NEVER, () => promise);
    const cancel = new AbortController();
    let hasWorked = false;
    const second = slots.run(cancel.signal, async () => Promise.resolve((hasWorked = true)));
    cancel.abort();
    await expect(second).rejects.toMatchObject({ code: 'ABORTED' });
    const third = slots.run(NEVER, () => Promise.resolve(3));
    resolve(1);
    expect(await Promise.all([first, third])).toEqual([1, 3]);
    expect(hasWorked).toBe(false);
  });

  it('don’t start a call that was canceled before', async () => {
    const slots = new Slots(1, 5);
    await expect(slots.run(AbortSignal.abort(), () => Promise.resolve(1))).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await slots.run(NEVER, () => Promise.resolve(2))).toBe(2);
  });
});
