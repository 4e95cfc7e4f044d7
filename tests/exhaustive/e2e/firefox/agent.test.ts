/** The inspector over Firefox’s `inspectedWindow.eval`, which returns pairs. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  AgentConnection,
  Evaluator,
  type InspectorEvent,
  RunInspectorClient,
} from '../../../../lib/extension/inspector/index.ts';
import { openToolboxPanel, type ToolboxPanel } from '../../../../lib/browser-driver/firefox/toolbox.ts';
import { type FirefoxBed, startFirefoxBed } from '../../../support/firefox-bed.ts';
import { evaluateInPage } from '../../../support/firefox-evaluate.ts';
import { builtAgent } from '../../../support/agent-page.ts';

const HTML = `<!doctype html><script>
  ENV = { appId: 1, taskPipeline: [{ functionPackage: 'one' }] };
  Platform = { App: { Actions: { Pipeline: { async run() { console.log('hello', document.body); const { status } = await fetch('/data'); throw_ = location.search.includes('fail'); if (throw_) throw new RangeError('as asked'); return 'ä'.repeat(3e6) + status } } } } };
  function pauses() { debugger }
</script>`;

let server: Server;
let bed: FirefoxBed;
let panel: ToolboxPanel;
beforeAll(async () => {
  server = createServer(
    (request, response) =>
      void response
        .writeHead(request.url === '/data' ? 202 : 200, { 'content-type': 'text/html; charset=utf-8' })
        .end(HTML),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  bed = await startFirefoxBed();
  await bed.firefox.navigate(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  panel = await openToolboxPanel(bed.firefox);
});
afterAll(async () => {
  await bed?.close();
  server?.closeAllConnections();
  server?.close();
});

it('in Firefox, the inspector installs its agent, traces a run, fetches a large result, reports that breakpoints are unsupported, and notices a pause', async () => {
  const received: InspectorEvent[] = [];
  const evaluator = new Evaluator({ eval: (expression) => evaluateInPage(panel, expression) });
  const connection = new AgentConnection(
    { evaluate: (expression) => evaluator.evaluate(expression), ownsStack: true },
    builtAgent,
  );
  const inspector = new RunInspectorClient(connection, { busy: 20, idle: 100 });
  const ended = () =>
    new Promise<Extract<InspectorEvent, { kind: 'run-ended' }>>((resolve) => {
      const stop = inspector.subscribe((event) => {
        if (event.kind !== 'run-ended') return;
        stop();
        resolve(event);
      });
    });
  inspector.subscribe((event) => received.push(event));
  try {
    expect(await inspector.attach()).toMatchObject({
      ok: true,
      value: { platform: 'ready', tracing: 'bare', env: { appId: 1 }, pipeline: { ok: true, steps: 1 } },
    });

    const completed = ended();
    expect(await inspector.start('{"a":"ü"}')).toMatchObject({ ok: true });
    const { result } = await completed;
    expect(received.map((event) => event.kind)).toEqual([
      'page-changed',
      'run-started',
      'console',
      'request-started',
      'request-ended',
      'run-ended',
    ]);
    expect(received[2]).toMatchObject({ level: 'log', args: [{ v: 'hello' }, { t: 'node', v: '<body>' }] });
    expect(received[4]).toMatchObject({ status: 202 });
    if (result?.t !== 'string') throw new Error('no result');
    const text = await inspector.text(result.handle!);
    expect(text.ok && text.value).toBe(`${'ä'.repeat(3e6)}202`);

    const failed = ended();
    await inspector.start('{"fail":1}');
    const { error } = await failed;
    expect(error).toMatchObject({ errorType: 'RangeError', errorMessage: 'as asked' });
    expect(error!.trace[0]).toMatch(/^run@http:\/\/127\.0\.0\.1:\d+\/.*:\d+:\d+$/);

    expect(await inspector.setBreakpoint('any', true)).toMatchObject({
      ok: false,
      error: { code: 'BREAK_UNSUPPORTED' },
    });

    // The last thing, because nothing here resumes the page.
    const { promise: paused, resolve } = Promise.withResolvers<InspectorEvent>();
    inspector.subscribe((event) => event.kind === 'debugger-paused' && resolve(event));
    await evaluator.evaluate('setTimeout(pauses), "started"');
    expect(await paused).toMatchObject({ pause: { name: 'pauses', position: { line: 4 } } });
  } finally {
    inspector.dispose();
  }
});
