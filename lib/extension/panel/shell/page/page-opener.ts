/** Opens debug pages and app pages in the inspected tab, and reloads them. */
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import type { RunInspector } from '../../../inspector/run/types.ts';
import type { Runs } from '../../run/runs.ts';
import type { Catalog } from '../catalog.ts';
import { openProblem } from './page-hints.ts';
import type { PageStore } from './page.ts';

export interface PageOpenerOptions {
  inspector: Pick<RunInspector, 'capabilities' | 'reloadWithAgent'>;
  catalog: Catalog;
  page: PageStore;
  runs: Runs;
  namespace: () => string;
}

/** In milliseconds. */
const RELOAD_LIMIT = 30_000;

export class PageOpener {
  readonly #options: PageOpenerOptions;

  constructor(options: PageOpenerOptions) {
    this.#options = options;
  }

  /** Opens the selected action's debug page or the pasted URL. Resolves to whether it's open. */
  readonly open = async (): Promise<boolean> => {
    const { catalog, page, runs, namespace } = this.#options;
    if (catalog.cannotOpen.peek() !== null) return false;
    const isBusy = this.#isBusy();
    // Forget the old page first, so that a payload or run can't be sent to it.
    page.leave();
    runs.dismiss();
    page.expectToken(true);
    const previous = runs.shown.peek()?.record.id;
    const isOpen = await catalog.open(isBusy);
    if (!isOpen) page.expectToken(false);
    // The new page can be ready, and its action running, before the worker reports that it's open.
    if (isOpen && runs.shown.peek()?.record.id === previous) runs.close();
    await page.inspect(namespace());
    const problem: ErrorValue | null = isOpen ? await this.#problem() : null;
    if (problem) catalog.error.value = problem;
    return isOpen && !problem;
  };

  /** A service worker responds without the token. Only a reload without caches passes it. */
  async #problem(): Promise<ErrorValue | null> {
    const { page, inspector } = this.#options;
    const problem = openProblem(page.state.peek(), page.lost.peek());
    if (problem?.code !== 'PAGE_FROM_SERVICE_WORKER' || !inspector.capabilities.reload) return problem;
    const previous = page.state.peek()?.documentId;
    if (!(await this.reload()) || !(await page.whenReplaced(previous, RELOAD_LIMIT))) return problem;
    return openProblem(page.state.peek(), page.lost.peek());
  }

  /**
   * Resolves to false on failure, which it reports.
   * @param payload what the page is loaded with
   */
  readonly reload = async (payload?: string): Promise<boolean> => {
    const { inspector, catalog, page, runs, namespace } = this.#options;
    const state = page.state.peek();
    const url = state?.url ?? '';
    const opened = catalog.debugPageUrl(state);
    // DevTools' own reload waits for the page to unload, which never happens if the page is in an endless loop. It also
    // keeps a URL that the page has changed, and that can't be changed in a sandbox.
    if (this.#isBusy() || !inspector.capabilities.reload || opened !== url || state?.isSandboxed) {
      page.expectToken(true);
      const isOpen = await catalog.reopen(opened, payload);
      if (!isOpen) page.expectToken(false);
      if (isOpen !== null) {
        await page.inspect(namespace());
        return isOpen;
      }
    }
    // An environment's page needs the token on every load.
    if (!(await catalog.allowReload(url))) return false;
    page.expectToken(true);
    const reloaded: Result<null> = await inspector.reloadWithAgent(payload);
    if (!reloaded.ok) runs.report(reloaded.error);
    return reloaded.ok;
  };

  #isBusy(): boolean {
    return this.#options.page.lost.peek()?.code === 'PAGE_BUSY';
  }
}
