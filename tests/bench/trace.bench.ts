/** Measures what tracing costs: runs of 50,000 steps untraced and traced, and how soon the panel shows the result. */
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { launchBrowser } from '../../lib/browser-driver/chromium.ts';
import { buildExtension } from '../../lib/browser-driver/build.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { enterEnvironment, openAction } from '../../lib/browser-driver/job.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { startPlatform } from '../../lib/local-platform/index.ts';
import type { Pipeline } from '../../lib/pipeline/index.ts';
import { type Bench, median, type Row, row, type Table } from './measure.ts';

const FOLDER = `test-results/bench-${process.pid}`;
const ROUNDS = 5;
const STEPS = 50_000;
/** Milliseconds from the end of a run to its result shown, and a traced run’s time beside an untraced one’s. */
const [SHOWN, TIMES] = [300, 5];

const step = (name: string, settings: Record<string, unknown> = {}) => ({
  functionPackage: `com.example.bench.${name}`,
  settings,
});
/** Each counts the steps that a trace has: the loop itself, and its steps. */
const PIPELINES: readonly { name: string; pipeline: Pipeline; steps: number }[] = [
  {
    name: 'a loop of async steps',
    pipeline: [
      { type: 'loop', range: { from: 1, to: STEPS - 1 }, functions: [step('send', { to: 'team@example.com' })] },
    ],
    steps: STEPS,
  },
  {
    name: 'a loop with an if, settings, and context changes',
    pipeline: [
      {
        type: 'loop',
        range: { from: 1, to: STEPS / 4 },
        functions: [
          {
            type: 'if',
            conditions: [
              {
                condition: 'currentItem > 0',
                functions: [
                  step('send', { to: 'team@example.com', subject: 'Report', tags: ['a', 'b'] }),
                  step('add', { field: 'sum' }),
                  step('text', { message: 'A line of text' }),
                ],
              },
            ],
          },
        ],
      },
    ],
    steps: STEPS + 1,
  },
];

interface Times {
  untraced: number[];
  traced: number[];
  shown: number[];
  allShown: number[];
}

export const bench: Bench = async () => {
  const extensionPath = await buildExtension('chrome', FOLDER);
  const platform = await startPlatform({ port: 0, data: 'memory' });
  try {
    const extension = await launchBrowser({
      executablePath: ensureBrowser('chromium'),
      extension: extensionPath,
      headless: true,
    });
    try {
      await enterEnvironment(extension, platform);
      const panel = await openAction(extension, { app: 'Field Service', action: 'number-range', payload: '{}' }, true);
      const tables: Table[] = [];
      for (const { name, pipeline, steps } of PIPELINES) {
        await prepare(panel, pipeline);
        tables.push({
          title: `${steps.toLocaleString('en')} steps: ${name}`,
          unit: 'ms',
          rows: rows(await measure(panel, steps)),
        });
      }
      return tables;
    } finally {
      await extension.close();
    }
  } finally {
    await platform.close();
    await rm(resolve(import.meta.dirname, '../..', FOLDER), { recursive: true, force: true });
  }
};

function rows({ untraced, traced, shown, allShown }: Times): Row[] {
  const times = median(traced) / median(untraced);
  return [
    row('untraced, in the same page', untraced),
    {
      ...row('traced by the panel', traced),
      target: { text: `at most ${TIMES}x untraced: ${times.toFixed(1)}x`, met: times <= TIMES },
    },
    {
      ...row('end of the run to its result shown', shown),
      target: { text: `${SHOWN} ms or less`, met: median(shown) <= SHOWN },
    },
    row('end of the run to all its steps shown', allShown),
  ];
}

interface BenchPage {
  ENV: { taskPipeline: Pipeline };
  Platform: {
    Functions: { register(name: string, fn: (settings: never, context: Record<string, number>) => unknown): void };
    App: { Actions: { Pipeline: { run(options?: unknown): Promise<unknown> } } };
  };
  ran: { milliseconds: number; endedAt: number };
  isWatched?: boolean;
}

/** Gives the page a pipeline and its functions, and has it note how long each run takes and when it ends. */
async function prepare(panel: PanelPage, pipeline: Pipeline): Promise<void> {
  await panel.inspected.evaluate((pipeline) => {
    const page = globalThis as unknown as BenchPage;
    page.ENV.taskPipeline = pipeline;
    const { Functions, App } = page.Platform;
    Functions.register('com.example.bench.send', () => Promise.resolve());
    Functions.register('com.example.bench.add', (_, context) => {
      context.sum = (context.sum ?? 0) + context.currentItem!;
      return context.sum;
    });
    Functions.register('com.example.bench.text', (settings: { message: string }) => settings.message);
    if (page.isWatched) return;
    page.isWatched = true;
    const { run } = App.Actions.Pipeline;
    App.Actions.Pipeline.run = async (options) => {
      const start = performance.now();
      try {
        return await run(options);
      } finally {
        const end = performance.now();
        page.ran = { milliseconds: end - start, endedAt: performance.timeOrigin + end };
      }
    };
  }, pipeline as never);
}

/** Alternates between untraced and traced runs. The first of each doesn’t count. */
async function measure(panel: PanelPage, steps: number): Promise<Times> {
  const times: Times = { untraced: [], traced: [], shown: [], allShown: [] };
  for (let round = -1; round < ROUNDS; round++) {
    const untraced = await panel.inspected.evaluate(async () => {
      const page = globalThis as unknown as BenchPage;
      await page.Platform.App.Actions.Pipeline.run();
      return page.ran.milliseconds;
    });
    const { shownAt, allShownAt } = await runInPanel(panel, `${steps.toLocaleString('en')} steps`);
    const { milliseconds, endedAt } = await panel.inspected.evaluate(() => (globalThis as unknown as BenchPage).ran);
    if (round < 0) continue;
    times.untraced.push(untraced);
    times.traced.push(milliseconds);
    times.shown.push(shownAt - endedAt);
    times.allShown.push(allShownAt - endedAt);
  }
  return times;
}

/** Presses Run, and resolves to the times of the frames that show the result, and all steps. Throws if one is missing. */
async function runInPanel(panel: PanelPage, steps: string): Promise<{ shownAt: number; allShownAt: number }> {
  await waitFor('the button Run', () => panel.canPress('Run'));
  const button = await waitFor('the button Run', () => panel.frame().$('control/Run[role="button"]'));
  const shownAt = await button.evaluate(
    (button) =>
      new Promise<number>((resolve) => {
        // A run's number can arrive after the next one has started, so its title doesn't tell runs apart.
        const shown = () => document.querySelector('[data-shown-run]')?.getAttribute('data-shown-run') ?? null;
        const old = shown();
        const observer = new MutationObserver(() => {
          if (shown() === null || shown() === old || document.querySelector('[data-result]') === null) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        (button as HTMLButtonElement).click();
      }),
  );
  const allShownAt = await panel.frame().evaluate(
    (steps) =>
      new Promise<number>((resolve, reject) => {
        const check = (): void => {
          if (document.querySelector('[data-run-state=completed]') === null) return void requestAnimationFrame(check);
          if (!document.body.innerText.includes(steps)) return reject(new Error(`The panel doesn’t show ${steps}.`));
          resolve(performance.timeOrigin + performance.now());
        };
        check();
      }),
    steps,
  );
  return { shownAt, allShownAt };
}
