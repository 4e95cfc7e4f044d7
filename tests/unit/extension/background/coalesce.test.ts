/** Tests that callers share a response while one of them waits, and that nothing joins an abandoned request. */
import { describe, expect, it } from 'vitest';
import { Coalescer } from '../../../../lib/extension/background/coalesce.ts';

/** Work that ends on demand, or when it is aborted. */
function shared() {
  const coalescer = new Coalescer();
  const started: { signal: AbortSignal; end: (value: string) => void }[] = [];
  const work = (signal: AbortSignal): Promise<string> => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    signal.addEventListener('abort', () => reject(new Error('stopped')));
    started.push({ signal, end: resolve });
    return promise;
  };
  const ask = (signal?: AbortSignal, key = 'apps'): Promise<string> =>
    coalescer.join([key], work, signal).catch((error: Error) => error.message);
  return { coalescer, started, ask };
}

describe('concurrent callers with the same request', () => {
  it('get the same response, and the request continues when one of them cancels', async () => {
    const { started, ask } = shared();
    const [one, other] = [new AbortController(), new AbortController()];
    const responses = [ask(one.signal), ask(other.signal), ask(one.signal, 'actions')];
    other.abort();
    started.forEach(({ end }, nth) => end(`answer ${nth}`));
    expect(await Promise.all(responses)).toEqual(['answer 0', 'answer 0', 'answer 1']);
    expect(started.map(({ signal }) => signal.aborted)).toEqual([false, false]);
  });

  it('keep the request running when one of them can’t cancel', async () => {
    const { started, ask } = shared();
    const leaving = new AbortController();
    const responses = [ask(leaving.signal), ask()];
    leaving.abort();
    started[0]!.end('answer');
    expect(await Promise.all(responses)).toEqual(['answer', 'answer']);
  });
});

describe('when the last caller cancels', () => {
  it('aborts the request, and the next caller starts another one', async () => {
    const { started, ask } = shared();
    const both = [new AbortController(), new AbortController()];
    const left = both.map(({ signal }) => ask(signal));
    both.forEach((one) => one.abort());
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true]);
    const next = ask();
    started[1]!.end('again');
    expect(await Promise.all([...left, next])).toEqual(['stopped', 'stopped', 'again']);
  });

  it('keeps the request that replaced a cleared one', async () => {
    const { coalescer, started, ask } = shared();
    const leaving = new AbortController();
    const old = ask(leaving.signal);
    coalescer.clear();
    const young = [ask()];
    leaving.abort();
    young.push(ask());
    expect(started.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    started[1]!.end('young');
    expect(await Promise.all([old, ...young])).toEqual(['stopped', 'young', 'young']);
  });

  it('nothing happens if the response has arrived', async () => {
    const { started, ask } = shared();
    const leaving = new AbortController();
    const response = ask(leaving.signal);
    started[0]!.end('answer');
    await response;
    const next = ask();
    leaving.abort();
    expect(started.map(({ signal }) => signal.aborted).at(-1)).toBe(false);
    started[1]!.end('next');
    expect(await next).toBe('next');
  });
});
