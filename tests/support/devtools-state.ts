/** Owns what DevTools itself knows: the view in front, the file that Sources shows, and whether the debugger has paused. */
import type { Page } from 'puppeteer-core';

export interface DevToolsState {
  /** `sources`, or an extension's panel as origin and title. */
  view: string;
  /** Address of the file in front in Sources. */
  source: string | null;
  paused: boolean;
  /** Innermost function of the paused stack. */
  pausedIn: string | null;
}

interface DebuggerModel {
  isPaused(): boolean;
  resume(): void;
  debuggerPausedDetails(): { callFrames: { functionName: string }[] } | null;
}
interface Sdk {
  DebuggerModel: { DebuggerModel: unknown };
  TargetManager: { TargetManager: { instance(): { primaryPageTarget(): { model(model: unknown): DebuggerModel } | null } } };
}

/** @param devtools the page of DevTools itself */
export function devtoolsState(devtools: Page): Promise<DevToolsState> {
  return devtools.evaluate(async () => {
    const bundled = (path: string) => import(`devtools://devtools/bundled/${path}`) as Promise<unknown>;
    const sdk = (await bundled('core/sdk/sdk.js')) as Sdk;
    const sources = (await bundled('panels/sources/sources.js')) as { SourcesPanel: { SourcesPanel: { instance(): { sourcesView(): { currentUISourceCode(): { url(): string } | null } } } } };
    const ui = (await bundled('ui/legacy/legacy.js')) as { InspectorView: { InspectorView: { instance(): { tabbedPane: { selectedTabId: string } } } } };
    const model = sdk.TargetManager.TargetManager.instance().primaryPageTarget()?.model(sdk.DebuggerModel.DebuggerModel);
    return {
      view: ui.InspectorView.InspectorView.instance().tabbedPane.selectedTabId,
      source: sources.SourcesPanel.SourcesPanel.instance().sourcesView().currentUISourceCode()?.url() ?? null,
      paused: model?.isPaused() ?? false,
      pausedIn: model?.debuggerPausedDetails()?.callFrames[0]?.functionName ?? null,
    };
  });
}

/** Lets a paused page go on, as the button Resume does. */
export async function resume(devtools: Page): Promise<void> {
  await devtools.evaluate(async () => {
    const path = 'devtools://devtools/bundled/core/sdk/sdk.js';
    const sdk = (await import(path)) as Sdk;
    sdk.TargetManager.TargetManager.instance().primaryPageTarget()?.model(sdk.DebuggerModel.DebuggerModel).resume();
  });
}
