import { expect, test } from 'vitest';
import { SerialQueue } from '../../../lib/shared/serial-queue.ts';

test('starts a task only when the one before it has settled', async () => {
  const order: string[] = [];
  const queue = new SerialQueue();
  const first = Promise.withResolvers<void>();
  void queue.run(() => first.promise.then(() => order.push('first')));
  const second = queue.run(() => order.push('second'));
  first.resolve();
  await second;
  expect(order).toEqual(['first', 'second']);
});

test('runs the next task after one that rejects', async () => {
  const queue = new SerialQueue();
  await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(queue.run(() => 7)).resolves.toBe(7);
});

test('is idle when every queued task has settled', async () => {
  const queue = new SerialQueue();
  let isDone = false;
  void queue.run(async () => {
    await Promise.resolve();
    isDone = true;
  });
  await queue.idle();
  expect(isDone).toBe(true);
});
