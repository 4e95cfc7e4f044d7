/** Opens the panel on a page with an action to debug: a loop with an `if` over three rows, and a step that sends. */
import type { PipelineNode } from '../../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { toJson } from '../../../../../../lib/extension/panel/shared/value-json.ts';
import { UNDEFINED } from '../../../../../../lib/extension/panel/shared/remote-value.ts';
import { pageScripts, plainRuntime, platformRuntime } from '../../../inspector/support/debugged-page.ts';
import { openPanel } from '../../shell/open-panel.ts';

export const ADD = '/1/functions/0/conditions/0/functions/0';
export const SEND = '/2';
export const PIPELINE = [
  { functionPackage: 'com.example.function.read' },
  {
    type: 'loop',
    items: 'rows',
    functions: [
      {
        type: 'if',
        conditions: [{ condition: 'currentItem > 1', functions: [{ functionPackage: 'com.example.function.add' }] }],
        elseFunctions: [{ functionPackage: 'com.example.function.skipped' }],
      },
    ],
  },
  { functionPackage: 'com.example.function.send', settings: { to: 'ada@example.com' } },
];
export const FUNCTIONS = `
  'com.example.function.read'(settings, context) { context.rows = [1, 2, 3]; context.sum = 0; },
  'com.example.function.add'(settings, context) { context.sum += context.currentItem; },
  'com.example.function.skipped'() {},
  'com.example.function.send'(settings, context) {
    if (context.sum > 100) throw new TypeError('The sum is too large.');
    return 'sent ' + context.sum;
  },
`;

type Options = NonNullable<Parameters<typeof openPanel>[1]>;

export async function openDebugger({
  pipeline = PIPELINE,
  functions = FUNCTIONS,
  isForeign = false,
  ...options
}: Options & { pipeline?: unknown; functions?: string; isForeign?: boolean } = {}) {
  const runtime = isForeign ? plainRuntime : await platformRuntime();
  const opened = await openPanel(`${runtime}${pageScripts(pipeline, functions)}`, options);
  const { panel, tab } = opened;
  const { debug } = panel;
  await tab.page.until(() => panel.page.nodes.value.length > 0);
  await debug.settings.ready();
  const node = (path: string): PipelineNode => panel.page.nodes.value.find((one) => one.path === path)!;
  return {
    ...opened,
    debug,
    node,
    /** Resolves with the place of the next pause after the last one. */
    async paused(after: number = 0): Promise<string> {
      await tab.page.until(() => (debug.pause.current.value?.pause ?? 0) > after);
      const { traceStep, reason } = debug.pause.current.value!;
      await tab.page.until(() => panel.selection.step.value === traceStep.id);
      return `${[traceStep.path, ...traceStep.iteration].join('#')} ${reason}`;
    },
    async ended(state: string): Promise<string> {
      await opened.finished(state);
      return toJson(panel.runs.shown.value?.trace.result ?? UNDEFINED);
    },
    calls: (): string[] => JSON.parse(tab.page.run('JSON.stringify(calls)') as string) as string[],
  };
}
