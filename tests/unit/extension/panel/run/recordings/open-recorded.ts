/** Runs an action in a page, and opens its recording elsewhere. */
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import type { MessageName } from '../../../../../../lib/extension/messaging/protocol.ts';
import type { Panel } from '../../../../../../lib/extension/panel/shell/panel.ts';
import { openPanel } from '../../shell/open-panel.ts';
import { openDebugger } from '../debug/open-debugger.ts';

export const file = (text: string, name = 'a.run.json'): File => new File([text], name);

export const stepsOf = (panel: Panel): string[] =>
  panel.runs.shown.value!.trace.order.map(({ path, iteration, state }) => `${[path, ...iteration].join('#')} ${state}`);

/** A run in a page, and the text of its exported recording. */
export async function exportedRun({
  payload = '{}',
  state = 'completed',
  ...options
}: Parameters<typeof openDebugger>[0] & { payload?: string; state?: string } = {}) {
  const opened = await openDebugger(options);
  const { panel, files, ended } = opened;
  panel.payloads.setText(payload);
  await panel.run();
  await ended(state);
  await panel.recordings.export(panel.runs.shown.value!);
  return { ...opened, text: files.at(-1)!, recording: JSON.parse(files.at(-1)!) as Recording };
}

export const withoutPage = (respond: Partial<Record<MessageName, unknown>> = {}) => openPanel('', { respond });

/** A panel without a page that shows a recorded run. */
export async function openRecorded(recording: Recording) {
  const opened = await withoutPage();
  await opened.panel.importFile(file(JSON.stringify(recording)));
  await opened.panel.runs.settled();
  return { ...opened, run: opened.panel.runs.shown.value! };
}
