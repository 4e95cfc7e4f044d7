/** Owns pages of a real Chromium that the agent, as it was built, is evaluated in. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { inject } from 'vitest';
import type { AgentEvent } from '../../lib/extension/inspector/contract.ts';
import {
  createEvaluate,
  createInspector,
  type RunInspector,
  type InspectorEvent,
} from '../../lib/extension/inspector/index.ts';

export const builtAgent = () => readFile(`${inject('chromeExtension')}/page-agent.js`, 'utf8');

export interface Inspected {
  page: Page;
  inspector: RunInspector;
  told: InspectorEvent[];
  /** Resolves with the first event that was or will be told and of which `holds` is true. */
  next<E extends InspectorEvent>(holds: (event: InspectorEvent) => event is E): Promise<E>;
  next(holds: (event: InspectorEvent) => boolean): Promise<InspectorEvent>;
  /** Starts a run and answers its events when it has ended. */
  finish(payload?: string): Promise<AgentEvent[]>;
}

/** A page with the panel's client; what it evaluates goes through the same adapter as in DevTools. */
export async function inspectPage(page: Page, options: { limit?: number } = {}): Promise<Inspected> {
  const told: InspectorEvent[] = [];
  const evaluate = createEvaluate({ eval: (expression) => page.evaluate(expression) }, { askAnew: 500, ...options });
  const inspector = createInspector({
    evaluate,
    agentSource: builtAgent,
    intervals: { running: 20, idle: 50 },
    reload: ({ injectedScript }) => void page.evaluateOnNewDocument(injectedScript ?? '').then(() => page.reload()),
  });
  inspector.subscribe((event) => told.push(event));
  const next = (holds: (event: InspectorEvent) => boolean) =>
    new Promise<InspectorEvent>((resolve) => {
      const found = told.find(holds);
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
    told,
    next: next as Inspected['next'],
    async finish(payload = '{}') {
      const started = await inspector.start(payload);
      if (!started.ok) throw new Error(`${started.error.code}: ${started.error.message}`);
      const { runId } = started.value;
      await next((event) => event.kind === 'run-ended' && event.runId === runId);
      return told.filter((event): event is AgentEvent => 'n' in event && event.runId === runId);
    },
  };
}
