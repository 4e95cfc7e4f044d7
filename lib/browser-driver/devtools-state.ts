/** Reads the state of DevTools: the active view, the file in Sources, and whether the drawer is open and the debugger paused. */
import type { Page } from 'puppeteer-core';
import { inDevTools } from './chromium.ts';

export interface DevToolsState {
  /** `sources`, or the origin and title of an extension’s panel. */
  view: string;
  /** URL of the open file in Sources. */
  source: string | null;
  drawer: boolean;
  paused: boolean;
  /** URL of the script in which the debugger is paused. */
  pausedIn: string | null;
}

const DEBUGGER = `
  const sdk = await bundled('core/sdk/sdk.js');
  const model = sdk.TargetManager.TargetManager.instance().primaryPageTarget()?.model(sdk.DebuggerModel.DebuggerModel);`;

export function devtoolsState(devtools: Page): Promise<DevToolsState> {
  return inDevTools(
    devtools,
    `${DEBUGGER}
    const { SourcesPanel } = await bundled('panels/sources/sources.js');
    const { InspectorView } = await bundled('ui/legacy/legacy.js');
    return {
      view: InspectorView.InspectorView.instance().tabbedPane.selectedTabId,
      source: SourcesPanel.SourcesPanel.instance().sourcesView().currentUISourceCode()?.url() ?? null,
      drawer: InspectorView.InspectorView.instance().drawerVisible(),
      paused: model?.isPaused() ?? false,
      pausedIn: model?.debuggerPausedDetails()?.callFrames[0]?.script.sourceURL ?? null,
    };`,
  );
}

/** Resumes a paused page. */
export async function resume(devtools: Page): Promise<void> {
  await inDevTools(devtools, `${DEBUGGER} model?.resume();`);
}
