/** Fuzzes events of the run agent: the parser accepts only the contract’s shapes, and no view throws. */
import * as fc from 'fast-check';
import { trackEvent } from '../../lib/extension/inspector/api/track-event.ts';
import { AgentConnection, PageApi, RunInspectorClient } from '../../lib/extension/inspector/index.ts';
import { parseBatch } from '../../lib/extension/inspector/run/parse.ts';
import { createEventWriter } from '../../lib/extension/inspector/run/write-events.ts';
import { CodedError } from '../../lib/platform-api/index.ts';
import { hintOf, tracingHintOf } from '../../lib/extension/panel/shell/page/page-hints.ts';
import { subjectOf } from '../../lib/extension/panel/shell/page/page.ts';
import { nodeRun, openNodes, pipelineNodes } from '../../lib/extension/panel/run/pipeline-tree.ts';
import { assertCoded, check } from './check.ts';
import { damaged, json, spoiled, word, written } from './inputs.ts';
import { EVENTS, READING, STATE, TRACKED, VALUES } from './samples.ts';
import { texts, viewRun, viewValue } from './views.ts';

export const name = 'agent-events';

const PIPELINE = [
  { functionPackage: 'p', settings: {} },
  {
    type: 'loop',
    items: 'list',
    functions: [{ type: 'if', conditions: [{ condition: 'a', functions: [] }], elseFunctions: [{}] }],
  },
];
/** Steps as objects, and in their compact form. */
const ITEMS: unknown[] = [...EVENTS, ...EVENTS.map(createEventWriter())];
const STARTED = { ok: true, events: EVENTS.slice(0, 1) };
const ANSWERS = [
  READING,
  STATE,
  STARTED,
  { ok: false, error: { code: 'RUN_IN_PROGRESS', message: 'm' } },
  ...TRACKED,
  ...VALUES.slice(10),
  PIPELINE,
];
const TEXTS = ANSWERS.map((response) => JSON.stringify(response));
/** One result of `eval`, as text, or a failure. */
const reply = fc.oneof(
  { weight: 4, arbitrary: spoiled(ANSWERS, json).map(written) },
  { weight: 2, arbitrary: damaged(TEXTS) },
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: spoiled([STATE], json).map((state) => `http://localhost/\n${written(state)}`) },
  { weight: 2, arbitrary: fc.constant(`http://localhost/\n${written(STATE)}`) },
  { weight: 1, arbitrary: fc.oneof(word, fc.constantFrom('!no-agent', '"text"', 'true', 'null', 'done', 'unknown')) },
  { weight: 1, arbitrary: fc.constantFrom('<busy>', '<gone>') },
);
const METHODS = [
  'attach',
  'start',
  'stop',
  'expand',
  'text',
  'pipeline',
  'source',
  'break',
  'track',
  'reloadWithAgent',
] as const;
/** Events out of order, of two runs, some of them spoiled. */
const reading = fc
  .array(fc.oneof(fc.constantFrom(...ITEMS), spoiled(ITEMS, fc.oneof(json, fc.constantFrom(...VALUES)))), {
    maxLength: 25,
  })
  .map((events) => ({
    ...READING,
    events: events.map((event, index) => {
      if (Array.isArray(event)) return event.toSpliced(1, 1, index + 1) as unknown;
      return typeof event === 'object' && event !== null ? { ...event, n: index + 1 } : event;
    }),
  }));

const inputs = fc.record({
  responses: fc.array(reply, { maxLength: 6 }),
  calls: fc.array(fc.constantFrom(...METHODS), { minLength: 1, maxLength: 4 }),
  reading: fc.oneof({ weight: 4, arbitrary: reading }, { weight: 1, arbitrary: spoiled([READING], json) }),
  pipeline: spoiled([PIPELINE], json),
  loop: fc.constantFrom(null, { items: 'list' }, { items: '__proto__.x' }, { total: Infinity }),
});

export function fuzz(runs: number, seed: number): Promise<void> {
  return check(runs, seed, inputs, async ({ responses, calls, reading, pipeline, loop }) => {
    await ask(responses, calls);
    const read = parseBatch(JSON.parse(written(reading)));
    if (read) viewRun('r', read.events, () => loop);
    const nodes = pipelineNodes(pipeline);
    for (const node of openNodes(nodes, new Set(['/1']))) texts(node.label, nodeRun(node, null).state);
  });
}

/** The client of a page with these results, and none afterward. */
async function ask(responses: readonly string[], calls: readonly (typeof METHODS)[number][]): Promise<void> {
  let requestCount = 0;
  const evaluate = (expression: string): Promise<string> => {
    if (expression.includes('installed')) return Promise.resolve('installed');
    const next = responses[requestCount++] ?? '<gone>';
    if (next === '<busy>') return Promise.reject(new CodedError({ code: 'PAGE_BUSY', message: 'Busy.' }));
    return next === '<gone>'
      ? Promise.reject(new CodedError({ code: 'PAGE_UNREACHABLE', message: 'Gone.' }))
      : Promise.resolve(next);
  };
  const connection = new AgentConnection(
    { evaluate, openResource: () => Promise.resolve(false), reload: () => {} },
    () => Promise.resolve('/* agent */ return "installed"'),
  );
  const api = new PageApi(connection);
  const inspector = new RunInspectorClient(connection, { busy: 0, idle: 0 });
  inspector.subscribe((event) => {
    if (event.kind === 'page-lost') assertCoded(event.error);
    if (event.kind !== 'page-changed') return;
    const hint = hintOf(event.state, 'Platform') ?? tracingHintOf(event.state, 'platform', true);
    texts(subjectOf(event.state), hint?.text ?? '');
  });
  const call = {
    attach: () => inspector.attach(),
    start: () => inspector.start('{"a":1}'),
    stop: () => inspector.stop(),
    expand: () => inspector.expand(1, 0, 10),
    text: () => inspector.text(1),
    pipeline: () => inspector.pipeline(),
    source: () => inspector.openSource('ok'),
    break: () => inspector.setBreakpoint('ok', true),
    track: () => trackEvent(api, { documentId: 'd', appId: 1, namespace: 'Platform' }, 'event', {}, 0),
    reloadWithAgent: () => inspector.reloadWithAgent(),
  };
  for (const name of calls) {
    const result = await call[name]();
    if (result.ok && name === 'expand') viewValue(result.value as Parameters<typeof viewValue>[0]);
    // A page may report any text as a code.
    else if (!result.ok && typeof result.error.code !== 'string') assertCoded(result.error);
  }
  inspector.dispose();
}
