/** Opens the URL of a page in the panel, as someone does who pastes it. */
import { fill } from '../../lib/browser-driver/pages/fill.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';

export async function pasteUrl(panel: PanelPage, url: string): Promise<void> {
  await fill(panel.frame(), 'input[name=url]', url);
  await panel.press('Open');
}
