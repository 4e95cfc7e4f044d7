/** Owns what DevTools itself knows: the view in front, the file that Sources shows, and whether the debugger has paused. */
import type { Page } from 'puppeteer-core';
import { inDevTools } from './chromium.ts';

export interface DevToolsState {
  /** `sources`, or an extension's panel as origin and title. */
  view: string;
  /** Address of the file in front in Sources. */
  source: string | null;
  paused: boolean;
  /** Address of the script in which the debugger has paused. */
  pausedIn: string | null;
}

const DEBUGGER = `
  const sdk = await bundled('core/sdk/sdk.js');
  const model = sdk.TargetManager.TargetManager.instance().primaryPageTarget()?.model(sdk.DebuggerModel.DebuggerModel);`;

/** @param devtools the page of DevTools itself */
export function devtoolsState(devtools: Page): Promise<DevToolsState> {
  return inDevTools(
    devtools,
    `${DEBUGGER}
    const { SourcesPanel } = await bundled('panels/sources/sources.js');
    const { InspectorView } = await bundled('ui/legacy/legacy.js');
    return {
      view: InspectorView.InspectorView.instance().tabbedPane.selectedTabId,
      source: SourcesPanel.SourcesPanel.instance().sourcesView().currentUISourceCode()?.url() ?? null,
      paused: model?.isPaused() ?? false,
      pausedIn: model?.debuggerPausedDetails()?.callFrames[0]?.script.sourceURL ?? null,
    };`,
  );
}

/** Lets a paused page go on, as the button Resume does. */
export async function resume(devtools: Page): Promise<void> {
  await inDevTools(devtools, `${DEBUGGER} model?.resume();`);
}
