/** Opens the panel’s state with the real inspector and the real agent in a page, which it closes after the test. */
import 'fake-indexeddb/auto';
import { effect } from '@preact/signals';
import { onTestFinished } from 'vitest';
import {
  AgentConnection,
  OAuth2InspectorClient,
  PageApi,
  RunInspectorClient,
} from '../../../../../lib/extension/inspector/index.ts';
import type { MessageName } from '../../../../../lib/extension/messaging/protocol.ts';
import { createRunStore } from '../../../../../lib/extension/panel/run/history/run-database.ts';
import { Panel } from '../../../../../lib/extension/panel/shell/panel.ts';
import type { StringStorage } from '../../../../../lib/shared/stored-value.ts';
import { fakeSend } from '../../../../support/fake-send.ts';
import { agentSource, proverSource, openPage } from '../../inspector/support/page.ts';

/** What to close after each test. */
export const closing: (() => unknown)[] = [];
async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
}

export async function openPanel(
  before: string,
  {
    // A process runs many test files with the same databases.
    name = `panel-${crypto.randomUUID()}`,
    page: given,
    respond = {},
    reload,
    memory = { getItem: () => null, setItem: () => {} },
    limits,
  }: {
    name?: string;
    page?: Awaited<ReturnType<typeof openPage>>;
    /** Responses of the background worker, or functions that return them. By default, there are no environments. */
    respond?: Partial<Record<MessageName, unknown>>;
    /** Reloads the page. Without it, the browser doesn’t let extensions do that. */
    reload?: () => void;
    memory?: StringStorage;
    /** Of the database of runs. Default: the real ones. */
    limits?: Parameters<typeof createRunStore>[0];
  } = {},
) {
  // A hook of this module would apply to the first test file in a process only.
  onTestFinished(closeAll);
  const tab = { page: given ?? (await openPage({ before, agent: false })) };
  if (!given) closing.push(() => tab.page.close());
  const responses: typeof respond = { 'environments.list': { ok: true, value: [] }, ...respond };
  const send = fakeSend((name, takes) => {
    const response = responses[name] ?? { ok: false, error: { code: 'NO', message: 'no' } };
    return typeof response === 'function' ? response(takes) : response;
  });
  const copied: string[] = [];
  const files: string[] = [];
  const transport = { evaluate: (expression: string) => tab.page.evaluate(expression), ...(reload && { reload }) };
  const connection = new AgentConnection(transport, agentSource);
  const panel = new Panel({
    send,
    inspector: new RunInspectorClient(connection, { busy: 2, idle: 5 }),
    oauth2Inspector: new OAuth2InspectorClient(connection),
    pageApi: new PageApi(connection),
    pageCode: { transport, loadProver: proverSource },
    store: createRunStore(limits, name),
    tabId: 1,
    memory,
    openOptions: () => {},
    copyText: async (text) => copied.push(text) > 0,
    saveFile: (_name, text) => files.push(text),
  });
  closing.push(() => panel.dispose());
  // Subscribed from the start, as the views do.
  closing.push(effect(() => void [panel.page.hint.value, panel.page.tracingHint.value, panel.cannotRun.value]));
  await panel.start();
  await tab.page.until(() => panel.page.state.value !== null);
  await panel.mocks.whenLoaded();
  const finished = async (state: string) => {
    await tab.page.until(() => panel.runs.shown.value?.trace.state === state && panel.runs.live.value === null);
    await panel.runs.settled();
  };
  return { panel, tab, name, copied, files, finished };
}
