/** Tests that evaluating works the same in both browsers, and that a page that doesn't respond costs one evaluation. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createEvalTransport, Evaluator } from '../../../../lib/extension/inspector/eval-transport.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'resolved',
    (thrown: { code: string }) => thrown.code,
  );

describe('an evaluation', () => {
  it.each([
    ["Chromium's value", () => Promise.resolve('x')],
    ["Firefox's pair", () => Promise.resolve(['x', undefined])],
    ["Firefox's pair with null", () => Promise.resolve(['x', null])],
  ])('resolves to %s', async (_name, respond) => {
    expect(await new Evaluator({ eval: respond }).evaluate('1')).toBe('x');
  });

  it.each([
    ["Chromium's exception", () => Promise.reject({ isException: true, value: 'Error: x' }), 'PAGE_EXCEPTION'],
    ["Firefox's exception", () => Promise.resolve([undefined, { isException: true, value: 'x' }]), 'PAGE_EXCEPTION'],
    [
      "Chromium's refusal",
      () => Promise.reject({ isError: true, code: 'E_PROTOCOLERROR', description: 'Object not found' }),
      'PAGE_UNREACHABLE',
    ],
    ["Firefox's refusal", () => Promise.resolve([undefined, { isError: true, code: 'E' }]), 'PAGE_UNREACHABLE'],
    ['a plain Error', () => Promise.reject(new Error('gone')), 'PAGE_UNREACHABLE'],
    ['nothing at all', () => Promise.reject(), 'PAGE_UNREACHABLE'],
    ['a result that isn’t a string', () => Promise.resolve({ a: 1 }), 'PAGE_EXCEPTION'],
  ])('rejects with a code after %s', async (_name, respond, code) => {
    expect(await codeOf(new Evaluator({ eval: respond }).evaluate('1'))).toBe(code);
  });

  it('waits for the previous one', async () => {
    const requests: string[] = [];
    const release: (() => void)[] = [];
    const evaluator = new Evaluator({
      eval: (expression) =>
        new Promise((go) => {
          requests.push(expression);
          release.push(() => go(`${expression}!`));
        }),
    });
    const both = [evaluator.evaluate('a'), evaluator.evaluate('b')];
    await vi.advanceTimersByTimeAsync(10);
    expect(requests).toEqual(['a']);
    release[0]!();
    await vi.advanceTimersByTimeAsync(10);
    expect(requests).toEqual(['a', 'b']);
    release[1]!();
    expect(await Promise.all(both)).toEqual(['a!', 'b!']);
  });

  it('rejects with PAGE_BUSY after the timeout, and so do later ones, which never run, until the page responds', async () => {
    const requests: string[] = [];
    let release = () => {};
    const evaluator = new Evaluator(
      {
        eval: (expression) =>
          new Promise((go) => {
            requests.push(expression);
            release = () => go('late');
          }),
      },
      { timeout: 100, retryAfter: 1_000 },
    );
    const codes = [codeOf(evaluator.evaluate('a')), codeOf(evaluator.evaluate('queued'))];
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(codes)).toEqual(['PAGE_BUSY', 'PAGE_BUSY']);
    expect(await codeOf(evaluator.evaluate('refused'))).toBe('PAGE_BUSY');
    release();
    await vi.advanceTimersByTimeAsync(0);
    const next = evaluator.evaluate('next');
    await vi.advanceTimersByTimeAsync(0);
    release();
    expect(await next).toBe('late');
    expect(requests).toEqual(['a', 'next']);
  });

  it.each([0, 3_600_000])(
    'is tried again after a while when the page never responds, with a clock set back by %i ms',
    async (back) => {
      let silent = true;
      const evaluator = new Evaluator(
        { eval: () => (silent ? new Promise(() => {}) : Promise.resolve('back')) },
        { timeout: 100, retryAfter: 1_000 },
      );
      const first = codeOf(evaluator.evaluate('a'));
      await vi.advanceTimersByTimeAsync(100);
      expect(await first).toBe('PAGE_BUSY');
      silent = false;
      vi.setSystemTime(Date.now() - back);
      expect(await codeOf(evaluator.evaluate('b'))).toBe('PAGE_BUSY');
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await evaluator.evaluate('c')).toBe('back');
      expect(await evaluator.evaluate('d')).toBe('back');
    },
  );
});

/** A transport over DevTools with these panels. */
function transportWith(panels: object) {
  return createEvalTransport({
    inspectedWindow: { eval: () => Promise.resolve(''), reload: () => {} },
    network: { onNavigated: { addListener: () => {}, removeListener: () => {} } },
    panels,
  });
}

describe('opening a resource', () => {
  it('resolves with whether DevTools has it, and is absent in a browser without it', async () => {
    expect(transportWith({}).openResource).toBeUndefined();
    const { openResource } = transportWith({
      openResource: (url: string, line: number, done?: (response: unknown) => void) =>
        done?.(url === 'known' && line === 0 ? { isError: false } : { isError: true, code: 'E_NOTFOUND' }),
    });
    expect(await openResource?.('known', 0)).toBe(true);
    expect(await openResource?.('unknown', 0)).toBe(false);
  });
});
