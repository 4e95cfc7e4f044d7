/** Opens pages of a real Chromium with the built agent and its inspector. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { inject } from 'vitest';
import type { AgentEvent } from '../../lib/extension/inspector/contract.ts';
import {
  AgentConnection,
  Evaluator,
  type EvaluatorLimits,
  type InspectorEvent,
  PageApi,
  type RunInspector,
  RunInspectorClient,
} from '../../lib/extension/inspector/index.ts';

export const builtAgent = () => readFile(`${inject('chromeExtension')}/page-agent.js`, 'utf8');
export const builtProver = () => readFile(`${inject('chromeExtension')}/prover.js`, 'utf8');

export interface Inspected {
  page: Page;
  inspector: RunInspector;
  /** Calls the page’s API. */
  api: PageApi;
  received: InspectorEvent[];
  /** Resolves with the first past or future event for which `holds` is true. */
  next<E extends InspectorEvent>(holds: (event: InspectorEvent) => event is E): Promise<E>;
  next(holds: (event: InspectorEvent) => boolean): Promise<InspectorEvent>;
  /** Starts a run and returns its events when it has ended. */
  finish(payload?: string): Promise<AgentEvent[]>;
}

/** A page with the panel’s client, which evaluates through the same adapter as in DevTools. */
export async function inspectPage(page: Page, limits: EvaluatorLimits = {}): Promise<Inspected> {
  const received: InspectorEvent[] = [];
  const evaluator = new Evaluator({ eval: (expression) => page.evaluate(expression) }, { retryAfter: 500, ...limits });
  const connection = new AgentConnection(
    {
      evaluate: (expression) => evaluator.evaluate(expression),
      reload: (script) => void page.evaluateOnNewDocument(script).then(() => page.reload()),
    },
    builtAgent,
  );
  const inspector = new RunInspectorClient(connection, { busy: 20, idle: 50 });
  inspector.subscribe((event) => received.push(event));
  const next = (holds: (event: InspectorEvent) => boolean) =>
    new Promise<InspectorEvent>((resolve) => {
      const found = received.find(holds);
      if (found) return resolve(found);
      const stop = inspector.subscribe((event) => {
        if (!holds(event)) return;
        stop();
        resolve(event);
      });
    });
  return {
    page,
    inspector,
    api: new PageApi(connection),
    received,
    next: next as Inspected['next'],
    async finish(payload = '{}') {
      const started = await inspector.start(payload);
      if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
      const { runId } = started.value;
      await next((event) => event.kind === 'run-ended' && event.runId === runId);
      return received.filter((event): event is AgentEvent => 'n' in event && event.runId === runId);
    },
  };
}
