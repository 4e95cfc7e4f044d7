/** Tests how runs are stopped, and how a long run yields to the event loop. */
import { describe, expect, test, vi } from 'vitest';
import { type Observer, type Pipeline, type PipelineFunction, runPipeline } from '../../../lib/pipeline/index.ts';

const never = (): Promise<never> => new Promise(() => undefined);
const endless = (functions?: Pipeline): Pipeline => [
  { type: 'loop', range: { from: 0, to: Number.MAX_SAFE_INTEGER }, functions },
];
const busy = (milliseconds: number) => (): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

/** A function that never settles, and a Promise that resolves when it is called. */
function hanging(): { hang: PipelineFunction; reached: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { hang: () => (resolve(), never()), reached: promise };
}
const start = (
  pipeline: Pipeline,
  signal: AbortSignal,
  functions: Record<string, PipelineFunction> = {},
  observer?: Observer,
): Promise<unknown> =>
  runPipeline(pipeline, {
    functions: new Map(
      Object.entries({ nothing: () => undefined, microtask: async () => undefined, never, ...functions }),
    ),
    signal,
    observer,
  });

describe('an abort stops the run', () => {
  test.each<[string, Pipeline]>([
    ['in an endless loop of steps that answer at once', endless([{ function: 'nothing' }])],
    ['in an endless loop without steps', endless()],
    [
      'in an endless loop of conditions',
      endless([{ type: 'if', conditions: [{ condition: 'false', functions: [] }] }]),
    ],
    ['in an endless loop of Promises that are settled already', endless([{ function: 'microtask' }])],
    [
      'in an endless loop of functions that refuse',
      endless([{ function: 'refuse', functions: [{ function: 'nothing' }] }]),
    ],
    ['in an endless loop of empty loops', endless([{ type: 'loop', range: { from: 1, to: 0 } }])],
    ['while a function never settles', [{ function: 'never' }]],
    ['while a condition never settles', [{ type: 'if', conditions: [{ condition: never, functions: [] }] }]],
  ])('%s', async (_, pipeline) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort('enough'), 0);
    await expect(start(pipeline, controller.signal, { refuse: () => Promise.reject() })).rejects.toMatchObject({
      name: 'PipelineError',
      code: 'ABORTED',
      path: expect.stringMatching(/^\/0/),
      cause: 'enough',
    });
  });
  test('while an observer pauses the run', async () => {
    const controller = new AbortController();
    const reported: string[] = [];
    const { hang, reached } = hanging();
    const before = hang as () => Promise<never>;
    const running = start(
      [{ function: 'nothing' }],
      controller.signal,
      {},
      { before, after: ({ path }, { state }) => void reported.push(`${path} ${state}`) },
    );
    await reached;
    controller.abort();
    await expect(running).rejects.toMatchObject({ code: 'ABORTED', path: '/0' });
    expect(reported).toEqual(['/0 stopped']);
  });
  test('before anything runs', async () => {
    let ran = 0;
    await expect(start([{ function: 'count' }], AbortSignal.abort(), { count: () => ran++ })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(ran).toBe(0);
  });
  test('from a function, before its nested steps and the next step', async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const running = start(
      [{ function: 'stop', functions: [{ function: 'after' }] }, { function: 'after' }],
      controller.signal,
      { stop: () => controller.abort(), after: () => void ran.push('after') },
    );
    await expect(running).rejects.toMatchObject({ code: 'ABORTED', path: '/0' });
    expect(ran).toEqual([]);
  });
  test.each<[string, (controller: AbortController) => Observer]>([
    ['before', (controller) => ({ before: ({ path }) => (path === '/1' ? controller.abort() : undefined) })],
    ['after', (controller) => ({ after: ({ path }) => (path === '/0' ? controller.abort() : undefined) })],
  ])('from %s of an observer', async (_, observer) => {
    const controller = new AbortController();
    const ran: unknown[] = [];
    await expect(
      start(
        [
          { function: 'note', settings: { n: 0 } },
          { function: 'note', settings: { n: 1 } },
        ],
        controller.signal,
        { note: ({ n }) => void ran.push(n) },
        observer(controller),
      ),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(ran).toEqual([0]);
  });
  test('from a function used as a condition', async () => {
    const controller = new AbortController();
    let ran = 0;
    await expect(
      start(
        [
          {
            type: 'if',
            conditions: [{ condition: () => (controller.abort(), true), functions: [{ function: 'count' }] }],
          },
        ],
        controller.signal,
        { count: () => ran++ },
      ),
    ).rejects.toMatchObject({ code: 'ABORTED' });
    expect(ran).toBe(0);
  });
});

describe('a stopped run', () => {
  test('reports each open step with its iteration, innermost first', async () => {
    const controller = new AbortController();
    const reported: unknown[] = [];
    const { hang, reached } = hanging();
    const running = start(
      [
        {
          type: 'loop',
          range: { from: 5, to: 6 },
          functions: [{ function: 'nothing', functions: [{ function: 'hang' }] }],
        },
      ],
      controller.signal,
      { hang },
      { after: ({ path, iteration }, { state }) => void reported.push([path, iteration, state]) },
    );
    await reached;
    controller.abort();
    const error: unknown = await running.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ path: '/0/functions/0/functions/0', iteration: [0] });
    expect(reported).toEqual([
      ['/0/functions/0/functions/0', [0], 'stopped'],
      ['/0/functions/0', [0], 'stopped'],
      ['/0', [], 'stopped'],
    ]);
  });
  test.each(['resolve', 'reject'] as const)(
    'stays stopped when the function that it waited for comes back later (%s)',
    async (how) => {
      const controller = new AbortController();
      const late = Promise.withResolvers<number>();
      const called = Promise.withResolvers<void>();
      const reported: string[] = [];
      let ran = 0;
      const running = start(
        [{ function: 'late' }, { function: 'count' }],
        controller.signal,
        { late: () => (called.resolve(), late.promise), count: () => ran++ },
        { after: ({ path }, { state }) => void reported.push(`${path} ${state}`) },
      );
      await called.promise;
      controller.abort();
      await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
      late[how](1);
      await new Promise((resolve) => setImmediate(resolve));
      expect(ran).toBe(0);
      expect(reported).toEqual(['/0 stopped']);
    },
  );
  test('an abort after the end changes nothing, and no listener remains', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = ((...args: Parameters<typeof add>) => (listeners++, add(...args))) as typeof add;
    signal.removeEventListener = ((...args: Parameters<typeof remove>) => (
      listeners--,
      remove(...args)
    )) as typeof remove;
    await start([{ function: 'nothing' }], signal);
    await start([{ function: 'boom' }], signal, { boom: () => Promise.reject(new Error('boom')) }).catch(
      () => undefined,
    );
    expect(listeners).toBe(0);
    controller.abort();
  });
});

describe('a run yields to the event loop', () => {
  const turnsDuring = async (pipeline: Pipeline, functions: Record<string, PipelineFunction>): Promise<number> => {
    let running = true;
    let turns = 0;
    const countTurn = (): void => {
      turns++;
      if (running) setImmediate(countTurn);
    };
    setImmediate(countTurn);
    await runPipeline(pipeline, { functions: new Map(Object.entries(functions)) });
    running = false;
    return turns;
  };
  test('about every 10 ms, even when steps are slow', async () => {
    const turns = await turnsDuring([{ type: 'loop', range: { from: 1, to: 60 }, functions: [{ function: 'busy' }] }], {
      busy: busy(5),
    });
    expect(turns).toBeGreaterThan(15);
  });
  test('never in a short run', async () => {
    const attempt = async (): Promise<boolean> => {
      let turned = false;
      setImmediate(() => (turned = true));
      await runPipeline([{ type: 'loop', range: { from: 1, to: 20 }, functions: [{ function: 'microtask' }] }], {
        functions: new Map([['microtask', async () => undefined]]),
      });
      return turned;
    };
    // A busy machine can delay any of them for 10 ms.
    expect([await attempt(), await attempt(), await attempt(), await attempt(), await attempt()]).toContain(false);
  });
  test('in turn with another run', async () => {
    const order: string[] = [];
    const one = (name: string): Promise<unknown> =>
      runPipeline([{ type: 'loop', range: { from: 1, to: 8 }, functions: [{ function: 'busy' }] }], {
        functions: new Map([['busy', () => (order.push(name), busy(6)())]]),
      });
    await Promise.all([one('a'), one('b')]);
    expect(order.slice(0, 8)).toContain('b');
    expect(order.slice(8)).toContain('a');
  });
});

describe('without setImmediate, as in a page', () => {
  test.each([
    ['MessageChannel', ['setImmediate']],
    ['setTimeout', ['setImmediate', 'MessageChannel']],
  ])('a run yields through %s', async (_, missing) => {
    for (const name of missing) vi.stubGlobal(name, undefined);
    vi.resetModules();
    try {
      const page = await import('../../../lib/pipeline/index.ts');
      const order: string[] = [];
      const one = (name: string): Promise<unknown> =>
        page.runPipeline([{ type: 'loop', range: { from: 1, to: 8 }, functions: [{ function: 'busy' }] }], {
          functions: new Map([['busy', () => (order.push(name), busy(6)())]]),
        });
      await Promise.all([one('a'), one('b')]);
      expect(order.slice(0, 8)).toContain('b');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});
