/** The panel in Chromium’s DevTools, driven with scripts. */
import type { PanelPage } from './panel-page.ts';
import { type SavedFile, savedFiles } from './saved-file.ts';
import { ScriptedPanel } from './scripted-panel.ts';

export class ChromiumPanel extends ScriptedPanel {
  private readonly page: PanelPage;
  constructor(page: PanelPage) {
    super();
    this.page = page;
  }

  override evaluate<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.page
      .frame()
      .evaluate(`(function (document) {${script}}).apply(null, [document, ...${JSON.stringify(args)}])`) as Promise<T>;
  }

  override saved(count: number, save: () => Promise<void>): Promise<SavedFile[]> {
    return savedFiles(this.page.frame(), count, save);
  }
}
