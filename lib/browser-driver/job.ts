/** Drives the main workflow in the real panel: adds an environment, opens an action, runs it, and reads the result. */
import { allowOrigins, dockDevTools, type ExtensionBrowser, openDevToolsPanel } from './chromium.ts';
import { OptionsPage } from './pages/options-page.ts';
import { PanelPage, type ShownStep } from './pages/panel-page.ts';

export interface Choice {
  app: string;
  action: string;
  /** JSON text. */
  payload: string;
}

export interface Outcome {
  state: 'completed' | 'failed' | 'stopped';
  steps: ShownStep[];
  /** JSON text. */
  result: string;
}

/** Adds the local platform as the environment “Local” on the options page. */
export async function enterEnvironment(
  extension: ExtensionBrowser,
  platform: { baseUrl: string; authToken: string },
): Promise<void> {
  await allowOrigins(extension, [`${new URL(platform.baseUrl).protocol}//${new URL(platform.baseUrl).hostname}/*`]);
  const options = await OptionsPage.open(extension);
  await options.add({ name: 'Local', preset: 'local', baseUrl: platform.baseUrl, token: platform.authToken });
  await options.page.close();
}

/** Opens DevTools on a tab with the panel in front, then opens an action there. */
export async function openAction(extension: ExtensionBrowser, choice: Choice, headless: boolean): Promise<PanelPage> {
  const [first] = await extension.browser.pages();
  const page = first ?? (await extension.browser.newPage());
  const panel = new PanelPage(page, await openDevToolsPanel(page, extension));
  if (headless) await panel.resize(1200);
  else await dockDevTools(panel.devtools, 'bottom');
  await panel.choose({ environment: 'Local', app: choice.app, action: choice.action });
  await panel.open();
  await panel.setPayload(choice.payload);
  return panel;
}

/** Runs the open action, and reads its steps and result from the panel. */
export async function runAction(panel: PanelPage): Promise<Outcome> {
  const state = await panel.run();
  return { state, steps: await panel.steps(), result: await panel.result() };
}
