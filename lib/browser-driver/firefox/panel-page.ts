/** Drives the panel in Firefox’s toolbox, the inspected page, and the popup that the page opens. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SavedFile } from '../pages/saved-file.ts';
import { CLICK, ScriptedPanel } from '../pages/scripted-panel.ts';
import { waitFor } from '../wait-for.ts';
import { evaluateIn } from './document.ts';
import { openToolboxPanel, type ToolboxHost, type ToolboxPanel } from './toolbox.ts';
import type { Firefox } from './marionette.ts';

/** The inspected page, and the popup, which is the only other window. */
const PAGE = 'return gBrowser.selectedBrowser;';
const POPUP =
  "return [...Services.wm.getEnumerator('navigator:browser')].find((each) => each !== window)?.gBrowser?.selectedBrowser ?? null;";

/** Files are saved in this folder, without asking. */
const SAVE_IN = `
  const { prefs } = Services;
  prefs.setIntPref('browser.download.folderList', 2);
  prefs.setStringPref('browser.download.dir', arguments[0]);`;

/** Paths of the files in the folder that are complete. */
const SAVED = `
  const { Downloads } = ChromeUtils.importESModule('resource://gre/modules/Downloads.sys.mjs');
  const all = await (await Downloads.getList(Downloads.ALL)).getAll();
  return all.filter(({ succeeded }) => succeeded).map(({ target }) => target.path).filter((path) => path.startsWith(arguments[0]));`;

export class FirefoxPanel extends ScriptedPanel {
  private readonly firefox: Firefox;
  private readonly panel: ToolboxPanel;
  private constructor(firefox: Firefox, panel: ToolboxPanel) {
    super();
    this.firefox = firefox;
    this.panel = panel;
  }

  /** The panel in the toolbox of the current tab. */
  static async open(firefox: Firefox, host?: ToolboxHost): Promise<FirefoxPanel> {
    return new FirefoxPanel(firefox, await openToolboxPanel(firefox, host));
  }

  override evaluate<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.panel.evaluate<T>(script, ...args);
  }

  override async saved(count: number, save: () => Promise<void>): Promise<SavedFile[]> {
    // In a folder with files of the same names, they would get other names.
    const folder = await mkdtemp(join(tmpdir(), 'platform-devtools-saved-'));
    try {
      await this.firefox.chrome(SAVE_IN, folder);
      await save();
      const paths = await waitFor('the files', async () => {
        const found = await this.firefox.chrome<string[]>(SAVED, folder);
        return found.length === count && found;
      });
      const read = paths.map(async (path) => ({ name: basename(path), text: await readFile(path, 'utf8') }));
      return await Promise.all(read);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Clicks the button that the panel added to the page, inside a closed shadow root. */
  async clickAsked(name: string): Promise<void> {
    await waitFor(`the button ${name} in the page`, () =>
      evaluateIn<boolean>(
        this.firefox,
        PAGE,
        `${CLICK} return click([...(document.querySelector('platform-devtools-ask')?.openOrClosedShadowRoot.querySelectorAll('button') ?? [])].find((each) => each.textContent === arguments[1]));`,
        [name],
      ),
    );
  }

  /** Clicks the first match in the popup, once there is one. */
  async clickInPopup(selector: string): Promise<void> {
    await waitFor(`${selector} in the popup`, () =>
      evaluateIn<boolean>(this.firefox, POPUP, `${CLICK} return click(document.querySelector(arguments[1]));`, [
        selector,
      ]).catch(() => false),
    );
  }

  hasPopup(): Promise<boolean> {
    return this.firefox.chrome<boolean>(`return (function () {${POPUP}})() !== null;`);
  }
}
