/** Proves code in a page, with a transport as in DevTools: right code, wrong code, hostile code, and hostile pages. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Recording } from '../../../../../lib/debugging/index.ts';
import { Evaluator } from '../../../../../lib/extension/inspector/eval-transport.ts';
import type { InspectorTransport } from '../../../../../lib/extension/inspector/index.ts';
import { PROVER_KEY } from '../../../../../lib/extension/inspector/migrate/protocol.ts';
import { PageProver } from '../../../../../lib/extension/panel/migrate/page-prover.ts';
import { instrument, recordingOf, strengthOf } from '../../../../../lib/migrate/index.ts';
import type { Proof } from '../../../../../lib/migrate/index.ts';
import type { Result } from '../../../../../lib/platform-api/errors.ts';
import { load, ORDERS, PIPELINE, taskOf } from '../../../../support/proof-task.ts';
import { each, own, say, set } from '../../../migrate/steps.ts';
import { openPage, type Page, proverSource } from '../../inspector/support/page.ts';

const pages: Page[] = [];
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close();
});

interface Opened {
  page: Page;
  prover: PageProver;
  /** Expressions that were evaluated. */
  sent: string[];
  transport: InspectorTransport;
}

/** A panel on a page. @param before the page’s script */
async function open(before = '', over: Partial<InspectorTransport> = {}): Promise<Opened> {
  const page = await openPage({ agent: false });
  // happy-dom has neither.
  Object.defineProperty(page.window, 'MessageChannel', { value: MessageChannel, configurable: true });
  page.run(`structuredClone = function clone(value) {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(clone);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clone(each)]));
  }`);
  page.run(before);
  pages.push(page);
  const sent: string[] = [];
  const transport: InspectorTransport = {
    evaluate: async (expression) => {
      sent.push(expression);
      return page.evaluate(expression);
    },
    ...over,
  };
  return { page, sent, transport, prover: new PageProver({ transport, loadProver: proverSource }) };
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}
const errorOf = <T>(result: Result<T>): { code: string; message: string; hint?: string | undefined } => {
  if (result.ok) throw new Error('There is no error.');
  return result.error;
};
const whats = (proof: Proof): string[] => proof.comparisons.flatMap((each) => each.differences.map(({ what }) => what));

describe('a proof in the page', () => {
  test('finds no difference in a right translation', async () => {
    const { prover } = await open();
    const proof = valueOf(await prover.prove(await taskOf(PIPELINE, ORDERS, { orders: [] })));
    expect(proof.comparisons.map(({ differences, isWhole }) => [differences, isWhole])).toEqual([
      [[], true],
      [[], true],
    ]);
    expect(proof.coverage).toBe('4 of 4 branches ran.');
  });

  test('finds the difference in a wrong translation, with the values of both', async () => {
    const { prover } = await open();
    const task = await taskOf(PIPELINE, ORDERS);
    const proof = valueOf(await prover.prove({ ...task, code: task.code.replace('Open orders', 'Closed orders') }));
    expect(proof.status).toBe('differs');
    expect(proof.comparisons[0]?.differences).toMatchObject([
      { what: 'call', path: '/2', v3: [['Communicate.sendEmail', { subject: 'Closed orders', html: 'Total: 7' }]] },
    ]);
  });

  test('says how many wrong versions the runs find, as in the panel’s own realm', async () => {
    const { prover } = await open();
    const task = await taskOf(PIPELINE, ORDERS);
    expect(valueOf(await prover.strength(task))).toEqual(
      await strengthOf(task.code, { load, recordings: task.recordings, dataSources: task.dataSources }),
    );
  });

  test('records the code’s run beside a recorded one, as in the panel’s own realm', async () => {
    const { prover } = await open();
    const task = await taskOf(PIPELINE, { orders: [] }, { ...ORDERS, note: 'x'.repeat(300_000) });
    const code = task.code.replace('Open orders', 'Closed orders');
    const [, recording] = task.recordings;
    expect(valueOf(await prover.record({ ...task, code }, 1))).toEqual(
      await recordingOf(instrument(code), recording as Recording, { load, dataSources: task.dataSources }),
    );
  });

  test('sends each recording once, whatever the number of wrong versions', async () => {
    const { prover, sent } = await open();
    const task = await taskOf(PIPELINE, { ...ORDERS, mark: 'the only recording' });
    valueOf(await prover.strength(task));
    expect(sent.filter((expression) => expression.includes('the only recording'))).toHaveLength(1);
  });

  test('sends long recordings in pieces', async () => {
    const { prover, sent } = await open();
    const text = 'x'.repeat(400_000);
    const pipeline = [set({ a: 'text' }), set({ b: 'text' }), say('done')];
    const proof = valueOf(await prover.prove(await taskOf(pipeline, { text })));
    expect(whats(proof)).toEqual([]);
    expect(proof.comparisons[0]?.isWhole).toBe(true);
    const pieces = sent.filter((expression) => expression.includes('xxx'));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
  });

  test('reports its progress', async () => {
    const { prover } = await open();
    const progress: [number, number][] = [];
    const onProgress = (done: number, total: number): void => void progress.push([done, total]);
    valueOf(await prover.prove(await taskOf(PIPELINE, ORDERS, ORDERS, ORDERS), { onProgress }));
    expect(progress[0]).toEqual([0, 3]);
    expect(progress.at(-1)).toEqual([3, 3]);
  });

  test('cuts the long values of a difference', async () => {
    const { prover } = await open();
    const task = await taskOf([say('{{text}}')], { text: 'x'.repeat(100_000) });
    const code = task.code.replace('data.text', "data.text + '!'");
    const [comparison] = valueOf(await prover.prove({ ...task, code })).comparisons;
    expect(String(comparison?.differences[0]?.v2)).toMatch(/^x{10000}…$/);
  });

  test('keeps undefined and absent apart in the values of a difference', async () => {
    const { prover } = await open();
    const task = await taskOf([say('hello')], {});
    const code = task.code.replace(/return .*/, 'return undefined;');
    const [comparison] = valueOf(await prover.prove({ ...task, code })).comparisons;
    expect(comparison?.differences[0]).toMatchObject({ what: 'result', v2: 'hello', v3: undefined });
  });
});

describe('code that isn’t valid', () => {
  test.each([
    ['closes the function around it', 'async function execute(context) {}\n} alert(1); {', 2],
    ['opens a comment', 'async function execute(context) {}\n/*', 2],
    ['has another statement', 'async function execute(context) {}\nalert(1);', 2],
    ['is valid in sloppy mode only', 'async function execute(context) {\n  with (context) {}\n}', 2],
  ])('and %s never reaches the page', async (_, code, line) => {
    const { prover, sent } = await open();
    const error = errorOf(await prover.prove({ ...(await taskOf([say('a')], {})), code }));
    expect(error.code).toBe('CODE_VALIDATION_FAILED');
    expect(error.message).toContain(`Line ${line}, column `);
    expect(sent).toEqual([]);
  });

  test('in instrumented form only never reaches the page', async () => {
    const { prover, sent } = await open();
    // The comment becomes a call in a place where none can be.
    const code = 'async function execute(context) {\n  const a = {\n    // /0\n  };\n}';
    expect(errorOf(await prover.prove({ ...(await taskOf([say('a')], {})), code })).code).toBe(
      'CODE_VALIDATION_FAILED',
    );
    expect(sent).toEqual([]);
  });
});

describe('the page', () => {
  test('has nothing of the prover before, and after', async () => {
    const { page, prover } = await open();
    const names = (): string[] => page.run('Object.getOwnPropertyNames(globalThis)') as string[];
    const before = names();
    valueOf(await prover.prove(await taskOf(PIPELINE, ORDERS)));
    expect(names()).toEqual(before);
  });

  test('has no enumerable name of the prover while the proof lasts', async () => {
    const { page, prover } = await open();
    const before = (page.run('Object.keys(globalThis)') as string[]).join();
    let during = '';
    const onProgress = (): void => void (during = (page.run('Object.keys(globalThis)') as string[]).join());
    valueOf(await prover.prove(await taskOf(PIPELINE, ORDERS), { onProgress }));
    expect(during).toBe(before);
  });

  test('keeps its own fetch, timers, and Platform, and code under proof can’t reach it by name', async () => {
    const { page, prover } = await open('called = [];');
    const onProgress = (): unknown =>
      page.run(`fetch = () => called.push('fetch'); setTimeout = () => called.push('timer');
        Platform = { Communicate: { sendEmail: () => called.push('email') } };
        alert = () => called.push('alert'); console.log = () => called.push('log');`);
    const task = await taskOf([say('a'), own('send-email', { to: 'a', subject: 'b', html: 'c' })], {});
    const code = task.code.replace(
      /^(async function execute.*\n)/,
      "$1  console.log('a');\n  if (typeof alert === 'function' || typeof window === 'object') return 'reached';\n",
    );
    expect(whats(valueOf(await prover.prove({ ...task, code }, { onProgress })))).toEqual([]);
    expect(page.run('called.join()')).toBe('');
  });

  test('that has replaced a built-in is named instead of trusted', async () => {
    const { prover } = await open('JSON.parse = () => ({}); Array.prototype.toJSON = () => 1;');
    const error = errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS)));
    expect(error.code).toBe('BUILT_INS_REPLACED');
    expect(error.message).toContain('parse, toJSON');
  });

  test('that has broken a built-in isn’t trusted, either', async () => {
    const { prover } = await open('Array.prototype.map = function () {};');
    expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS))).code).toBe('BUILT_INS_REPLACED');
  });

  test('can work while a long proof lasts', async () => {
    const { page, prover } = await open();
    const list = Array.from({ length: 400 }, (_, index) => index);
    page.run('ticks = 0; (function tick() { ticks++; setTimeout(tick); })()');
    const before = page.run('ticks') as number;
    valueOf(await prover.prove(await taskOf([each('list', set({ a: 'currentItem' }))], { list })));
    expect(page.run('ticks') as number).toBeGreaterThan(before);
  });

  test('can’t make the panel believe what isn’t a result', async () => {
    for (const response of [
      'null',
      '[]',
      '{"results":[{}],"failure":null}',
      '{"results":[true],"failure":null}',
      '{',
    ]) {
      const { page, prover, transport } = await open();
      const { evaluate } = transport;
      transport.evaluate = (expression) =>
        expression.includes('.read()') ? Promise.resolve(response) : evaluate(expression);
      expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS))).code).toBe('PAGE_NONSENSE');
      await page.close();
    }
  });

  test('can’t flood the panel', async () => {
    const { page, prover } = await open();
    const onProgress = (): void =>
      void page.run(`this[${JSON.stringify(PROVER_KEY)}].read = () => 'x'.repeat(5 * 1024 * 1024);`);
    const result = await prover.prove(await taskOf(PIPELINE, ORDERS), { onProgress });
    expect(errorOf(result).code).toBe('PAGE_ANSWER_TOO_LARGE');
  });
});

describe('a proof that can’t end', () => {
  test('because the code loops forever fails with what to do', async () => {
    // In a real page, the evaluation never responds.
    const { page } = await open();
    const evaluator = new Evaluator(
      {
        eval: async (expression) =>
          expression.includes('.read()') ? new Promise(() => {}) : page.evaluate(expression),
      },
      { timeout: 50 },
    );
    const prover = new PageProver({
      transport: { evaluate: (expression) => evaluator.evaluate(expression) },
      loadProver: proverSource,
    });
    const error = errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS)));
    expect(error.code).toBe('PAGE_BUSY');
    expect(error.message).toContain('a loop that never ends');
    expect(error.hint).toContain('Reload the page');
  });

  test('because the code waits forever is a difference', async () => {
    const { prover } = await open();
    const task = await taskOf([say('a'), say('b')], {});
    const code = task.code.replace(/^ *\/\/ \/1$/m, '$&\n  await new Promise(() => {});');
    const proof = valueOf(await prover.prove({ ...task, code }));
    expect(proof.status).toBe('differs');
    expect(proof.comparisons[0]?.differences).toMatchObject([{ what: 'failure', path: '/1' }]);
  });

  test('because it’s canceled fails with PROOF_CANCELED, and leaves nothing in the page', async () => {
    const { page, prover } = await open();
    const controller = new AbortController();
    const onProgress = (): void => controller.abort();
    const result = await prover.prove(await taskOf(PIPELINE, ORDERS), { onProgress, signal: controller.signal });
    expect(errorOf(result).code).toBe('PROOF_CANCELED');
    expect(page.run(`this[${JSON.stringify(PROVER_KEY)}] === undefined`)).toBe(true);
  });

  test('because it was canceled before its turn fails, too', async () => {
    const { prover, sent } = await open();
    const result = await prover.prove(await taskOf(PIPELINE, ORDERS), { signal: AbortSignal.abort() });
    expect(errorOf(result).code).toBe('PROOF_CANCELED');
    expect(sent).toEqual([]);
  });

  test('because the tab has another page fails with PAGE_LEFT', async () => {
    let navigate: () => void = () => undefined;
    const { page, prover } = await open('', {
      onNavigated: (listener) => {
        navigate = listener;
        return () => undefined;
      },
    });
    const onProgress = (): void => navigate();
    expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS), { onProgress })).code).toBe('PAGE_LEFT');
    expect(page.run('1')).toBe(1);
  });

  test('because the new document has no prover fails with PAGE_LEFT', async () => {
    const { page, prover } = await open();
    const onProgress = (): void => void page.run(`delete this[${JSON.stringify(PROVER_KEY)}]`);
    expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS), { onProgress })).code).toBe('PAGE_LEFT');
  });

  test('because the page can’t be inspected fails with the transport’s error', async () => {
    const evaluator = new Evaluator({ eval: () => Promise.reject({ code: 'E_PROTOCOLERROR' }) });
    const prover = new PageProver({
      transport: { evaluate: (expression) => evaluator.evaluate(expression) },
      loadProver: proverSource,
    });
    expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS))).code).toBe('PAGE_UNREACHABLE');
  });
});
