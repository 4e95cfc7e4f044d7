/** Proves code in a page, with a transport as in DevTools: right code, wrong code, hostile code, and hostile pages. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Recording } from '../../../../../lib/debugging/index.ts';
import { Evaluator } from '../../../../../lib/extension/inspector/eval-transport.ts';
import type { InspectorTransport } from '../../../../../lib/extension/inspector/index.ts';
import { PROVER_KEY } from '../../../../../lib/extension/inspector/migrate/protocol.ts';
import { PageProver, type PageProverOptions } from '../../../../../lib/extension/panel/migrate/page-prover.ts';
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

const ALLOWED = { isAllowed: (url: string) => url.startsWith('http://localhost/v1/') };

const proverIn = (transport: InspectorTransport, options: Partial<PageProverOptions> = {}): PageProver =>
  new PageProver({ transport, loadProver: proverSource }, { ...ALLOWED, ...options });

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
  return { page, sent, transport, prover: proverIn(transport) };
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

/** What a page tries in order to read what is sent: the key’s getter sees its caller’s source, and `put` its argument. */
const LISTENS = `heard = []; Object.defineProperty(globalThis, ${JSON.stringify(PROVER_KEY)}, {
    configurable: true, set() {}, get: function f() { heard.push(String(f.caller)); return {
      session: 'x', close() {}, replaced: () => '', add() {}, put: (piece) => heard.push(piece) } } });`;

describe('a page that isn’t the app’s', () => {
  test('gets nothing, although it has a prover of its own', async () => {
    const { page, sent, transport } = await open(LISTENS);
    const prover = proverIn(transport, { isAllowed: (url) => !url.startsWith('http://localhost/') });
    const error = errorOf(await prover.prove(await taskOf(PIPELINE, { ...ORDERS, mark: 'a secret' })));
    expect([error.code, page.run('heard.join()')]).toEqual(['APP_PAGE_MISSING', '']);
    expect(sent.join()).not.toContain('secret');
  });

  test.each([
    ['another origin', 'http://other.test/v1/apps/1/tasks/2/compile'],
    ['another path', 'http://localhost/elsewhere'],
  ])('at %s, where the tab went between the check and the data, sees none of it', async (_, url) => {
    for (const from of [1, 2, 3, 5]) {
      const { page, transport } = await open();
      const { evaluate } = transport;
      const other = await openPage({ agent: false, url, before: LISTENS });
      let count = 0;
      transport.evaluate = (expression) => (count++ < from ? evaluate(expression) : other.evaluate(expression));
      const result = await proverIn(transport).prove(await taskOf(PIPELINE, { ...ORDERS, mark: 'a secret' }));
      expect([errorOf(result).code, other.run('heard.join()')]).toEqual(['PAGE_LEFT', '']);
      await Promise.all([page.close(), other.close()]);
    }
  });

  test('is recognized by the browser’s URL, which it can’t replace', async () => {
    const { prover, sent } = await open(
      `try { Object.defineProperty(location, 'href', { value: 'http://localhost/v1/x' }) } catch {}
       try { Object.defineProperty(globalThis, 'location', { value: { href: 'http://localhost/v1/x' } }) } catch {}`,
    );
    expect(sent).toEqual([]);
    // happy-dom’s location can be replaced, a browser’s can’t. Here, only what is asked for matters.
    await prover.prove(await taskOf(PIPELINE, ORDERS));
    expect(sent[0]).toContain('return this.location.href');
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
      /^(async function execute.*\n)/m,
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

describe('code under proof', () => {
  /** What a proof of the code says, and what the page noted. */
  async function proved(statement: string, before = '') {
    const { page, prover } = await open(`called = []; ${before}`);
    const task = await taskOf([say('a')], {});
    const code = task.code.replace(/^(async function execute.*\n)/m, `$1  ${statement}\n`);
    const result = await prover.prove({ ...task, code });
    return { result, called: page.run('called.join()') };
  }

  test.each([
    ['a constructor of the page', "new Option().ownerDocument.defaultView.called.push('x');"],
    ['the id of an element', "here.ownerDocument.defaultView.called.push('x');"],
    ['another name of the navigator', "clientInformation.sendBeacon('http://other.test/');"],
    ['the function that evaluates', "Function('called.push(1)')();"],
    ['a global that the page has added', "called.push('x');"],
    ['an escaped name', "c\\u0061lled.push('x');"],
    ['a name that it also defines elsewhere', "((called) => called)(0); called.push('x');"],
    ['the panel’s function around it', 'platformDevToolsPanel.caller;'],
    ['a timer', 'setInterval(() => 1);'],
  ])('doesn’t reach the page by %s', async (_, statement) => {
    // happy-dom has the one without a document, and not the other.
    const before = `here = document.body; Option = class { ownerDocument = document };
      clientInformation = { sendBeacon: (url) => called.push(url) };`;
    const { result, called } = await proved(statement, before);
    expect([whats(valueOf(result)), called]).toEqual([['failure'], '']);
  });

  test.each([
    ['import()', "import('data:text/javascript,1');"],
    ['eval', "(0, eval)('called.push(1)');"],
  ])('with %s never runs, and says so', async (what, statement) => {
    const { result, called } = await proved(statement);
    expect(errorOf(result).message).toContain(`Couldn’t run the code: a proof doesn’t run ${what}, which would reach`);
    expect(called).toBe('');
  });

  test.each([
    [
      'properties of any name',
      'const o = { eval: 1, let: 2, document: 3, default: 4, n\\u0065w: 5, this: 6, static: 7 };',
    ],
    [
      'methods with the name of a keyword',
      'await Promise.reject(1).catch(() => 1).finally(() => 2); new Map().delete(1);',
    ],
    [
      'classes',
      'class A extends Object { static #a = 1; static { this.class = A.#a; } get of() { return super.of; } } new A().of;',
    ],
    [
      'variables, and labels, named like properties',
      'async: for (const { of = 1, in: [get = of] } of [{ in: [] }]) { var set = get; continue async; }',
    ],
    [
      'functions in blocks',
      '{ function f() { return `${f.name}`; } f(); } try { throw { code: 1 }; } catch ({ code }) { var code2 = code; }',
    ],
    [
      'template tags, regular expressions, and new.target',
      'String.raw`a${/\\}[/]/u.test(1)}`; (function named() { return new.target; })();',
    ],
    ['names that it only asks for', "if (typeof window !== 'undefined' && window.x) throw new Error('a page');"],
  ])('can have %s', async (_, statement) => {
    const { result } = await proved(statement);
    expect(whats(valueOf(result))).toEqual([]);
  });

  test.each([
    ['reads', 'const a = true || 1, b = mispelled;'],
    ['assigns', 'mispelled = 1;'],
  ])('fails where it %s a name that nothing defines, as on the platform', async (_, statement) => {
    const { result } = await proved(statement);
    const [{ differences } = { differences: [] }] = valueOf(result).comparisons;
    expect(differences).toMatchObject([{ what: 'failure', v3: expect.stringMatching(/^ReferenceError: .*mispelled/) }]);
  });

  test('that replaces a built-in ends the proof with its name', async () => {
    const { result } = await proved('Array.prototype.push = () => 0;');
    expect(errorOf(result)).toMatchObject({
      code: 'PAGE_EXCEPTION',
      message: 'Couldn’t finish the proof: a built-in of JavaScript was replaced while it ran: push.',
    });
  });
});

describe('a proof that can’t end', () => {
  test('because the page sends no result fails, and the next proof starts', async () => {
    const { page, transport } = await open();
    const prover = proverIn(transport, { resultLimit: 0 });
    const mute = (): void =>
      void page.run(`this[${JSON.stringify(PROVER_KEY)}].read = () => '{"results":[],"failure":null}';`);
    const task = await taskOf(PIPELINE, ORDERS);
    const error = errorOf(await prover.prove(task, { onProgress: mute }));
    expect(error.code).toBe('PROOF_TOO_SLOW');
    expect(error.hint).toContain('Reload the page');
    expect(whats(valueOf(await proverIn(transport).prove(task)))).toEqual([]);
  });

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
    const prover = proverIn({ evaluate: (expression) => evaluator.evaluate(expression) });
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

  test('because another panel proves in the page says so, and the other one ends', async () => {
    const { prover, transport } = await open();
    const task = await taskOf(PIPELINE, ORDERS);
    let other: Promise<Result<Proof>> | undefined;
    const onProgress = (): void => void (other ??= proverIn(transport).prove(task));
    const error = errorOf(await prover.prove(task, { onProgress }));
    expect([error.code, error.message]).toEqual([
      'PROOF_SUPERSEDED',
      'Couldn’t finish the proof: another panel has started one in this page.',
    ]);
    expect(whats(valueOf(await (other as Promise<Result<Proof>>)))).toEqual([]);
  });

  test('because the new document has no prover fails with PAGE_LEFT', async () => {
    const { page, prover } = await open();
    const onProgress = (): void => void page.run(`delete this[${JSON.stringify(PROVER_KEY)}]`);
    expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS), { onProgress })).code).toBe('PAGE_LEFT');
  });

  test('because the page can’t be inspected fails with the transport’s error', async () => {
    const evaluator = new Evaluator({ eval: () => Promise.reject({ code: 'E_PROTOCOLERROR' }) });
    const prover = proverIn({ evaluate: (expression) => evaluator.evaluate(expression) });
    expect(errorOf(await prover.prove(await taskOf(PIPELINE, ORDERS))).code).toBe('PAGE_UNREACHABLE');
  });
});
