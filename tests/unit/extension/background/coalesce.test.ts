/** Tests that callers coalescer an answer as long as one of them waits, and that nobody joins what nobody waits for. */
import { describe, expect, it } from 'vitest';
import { Coalescer } from '../../../../lib/extension/background/coalesce.ts';

/** Work that ends when it is told to, or when it is stopped. */
function shared() {
  const coalescer = new Coalescer();
  const begun: { signal: AbortSignal; end: (value: string) => void }[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => reject(new Error('stopped')));
    begun.push({ signal, end: resolve });
    return promise;
  };
  const ask = (signal?: AbortSignal, key = 'apps'): Promise<string> =>
    coalescer.join([key], work, signal).catch((error: Error) => error.message);
  return { coalescer, begun, ask };
}

describe('concurrent callers with the same request', () => {
  it('get the same response, and the request continues when one of them cancels', async () => {
    const { begun, ask } = shared();
    const [one, other] = [new AbortController(), new AbortController()];
    const answers = [ask(one.signal), ask(other.signal), ask(one.signal, 'actions')];
    other.abort();
    begun.forEach(({ end }, nth) => end(`answer ${nth}`));
    expect(await Promise.all(answers)).toEqual(['answer 0', 'answer 0', 'answer 1']);
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it('keep the request running when one of them can’t cancel', async () => {
    const { begun, ask } = shared();
    const leaving = new AbortController();
    const answers = [ask(leaving.signal), ask()];
    leaving.abort();
    begun[0]!.end('answer');
    expect(await Promise.all(answers)).toEqual(['answer', 'answer']);
  });
});

describe('when the last caller cancels', () => {
  it('aborts the request, and the next caller starts another one', async () => {
    const { begun, ask } = shared();
    const both = [new AbortController(), new AbortController()];
    const left = both.map(({ signal }) => ask(signal));
    both.forEach((one) => one.abort());
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true]);
    const next = ask();
    begun[1]!.end('anew');
    expect(await Promise.all([...left, next])).toEqual(['stopped', 'stopped', 'anew']);
  });

  it('keeps the request that replaced a cleared one', async () => {
    const { coalescer, begun, ask } = shared();
    const leaving = new AbortController();
    const old = ask(leaving.signal);
    coalescer.clear();
    const young = [ask()];
    leaving.abort();
    young.push(ask());
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    begun[1]!.end('young');
    expect(await Promise.all([old, ...young])).toEqual(['stopped', 'young', 'young']);
  });

  it('nothing happens if the response has arrived', async () => {
    const { begun, ask } = shared();
    const leaving = new AbortController();
    const answer = ask(leaving.signal);
    begun[0]!.end('answer');
    await answer;
    const next = ask();
    leaving.abort();
    expect(begun.map(({ signal }) => signal.aborted).at(-1)).toBe(false);
    begun[1]!.end('next');
    expect(await next).toBe('next');
  });
});
