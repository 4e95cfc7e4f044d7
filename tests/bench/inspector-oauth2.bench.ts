/** Measures what the OAuth2 inspector costs the inspected page, per event, in a real browser. */
import { build } from 'esbuild';
import { launch } from 'puppeteer-core';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { type Bench, row } from './measure.ts';
import { isSlow } from './slow.ts';

const EVENTS = 20_000;
const ROUNDS = 9;
const TARGET = 20;

/** The library's event log and the agent, as page scripts. */
const PAGE = `
  import { createFlowLog } from './lib/oauth2/flow.ts';
  import { installAgent } from './lib/extension/inspector/agent/install.ts';
  globalThis.bench = { createFlowLog, installAgent };`;

/** Events of API calls: half of them report a start, half an end. */
const TELL = `(contender, isSlow) => {
  const flow = bench.createFlowLog();
  if (contender === 'an observer that does nothing') flow.observe(() => {});
  if (contender.startsWith('the inspector')) {
    globalThis.Platform = { OAuth2: Object.assign(() => null, { features: ['observe'], observe: flow.observe, configure: () => ({}) }) };
    bench.installAgent();
    globalThis['platform-devtools.agent'].call('oauth2', 'page', ['Platform', false]);
  }
  const isNew = contender.endsWith('new');
  const tellAll = (count) => {
    for (let i = 0; i < count; i++) {
      if (isSlow && contender.startsWith('the inspector')) for (const end = performance.now() + 0.05; performance.now() < end; );
      const url = 'https://api.example/v1/items/' + (isNew ? i : i % 50) + '?limit=…';
      if (i % 2) flow.record('service', { kind: 'api-ended', call: i >> 1, status: 200, milliseconds: 12.5, bytes: 1200, code: null });
      else flow.record('service', { kind: 'api-started', call: i >> 1, method: 'get', url, proxy: false });
    }
  };
  globalThis.tellAll = tellAll;
  tellAll(2_000);
}`;

const CONTENDERS = [
  'no observer',
  'an observer that does nothing',
  'the inspector, addresses seen before',
  'the inspector, every address new',
];

export const bench: Bench = async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'chrome120',
  });
  const browser = await launch({
    executablePath: ensureBrowser('chromium'),
    headless: true,
    pipe: true,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
  });
  try {
    const samples = new Map<string, number[]>(CONTENDERS.map((name) => [name, []]));
    for (let round = -2; round < ROUNDS; round++) {
      for (const name of CONTENDERS) {
        const page = await browser.newPage();
        await page.evaluate(outputFiles[0]!.text);
        await page.evaluate(`(${TELL})(${JSON.stringify(name)}, ${isSlow()})`);
        const session = await page.createCDPSession();
        // Time of the thread itself, which other programs on the machine do not lengthen.
        await session.send('Performance.enable', { timeDomain: 'threadTicks' });
        const spent = async (): Promise<number> =>
          (await session.send('Performance.getMetrics')).metrics.find((metric) => metric.name === 'ThreadTime')
            ?.value ?? 0;
        const before = await spent();
        await page.evaluate(`tellAll(${EVENTS})`);
        const took = ((await spent()) - before) * (1e6 / EVENTS);
        if (round >= 0) samples.get(name)?.push(took);
        await page.close();
      }
    }
    const rows = CONTENDERS.map((name) => row(name, samples.get(name) ?? []));
    for (const one of rows)
      if (one.name.startsWith('the inspector'))
        one.target = { text: `${TARGET} µs or less`, met: one.median <= TARGET };
    return [{ title: 'OAuth2 inspector: cost of an event in the page', unit: 'µs', rows }];
  } finally {
    await browser.close();
  }
};
