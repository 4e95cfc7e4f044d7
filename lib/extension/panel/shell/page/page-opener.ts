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
    const previous = runs.shown.peek()?.record.id;
    const isOpen = await catalog.open(isBusy);
    // The new page can be ready, and its action running, before the worker reports that it's open.
    if (isOpen && runs.shown.peek()?.record.id === previous) runs.close();
    await page.inspect(namespace());
    const problem: ErrorValue | null = isOpen ? openProblem(page.state.peek()) : null;
    if (problem) catalog.error.value = problem;
    return isOpen && !problem;
  };

  /** Resolves to false on failure, which it reports. */
  readonly reload = async (): Promise<boolean> => {
    const { inspector, catalog, page, runs, namespace } = this.#options;
    const url = page.state.peek()?.url ?? '';
    // DevTools' own reload waits for the page to unload, which never happens if the page is in an endless loop.
    if (this.#isBusy() || !inspector.capabilities.reload) {
      const isOpen = await catalog.reopen(url);
      if (isOpen !== null) {
        await page.inspect(namespace());
        return isOpen;
      }
    }
    // An environment's page needs the token on every load.
    if (!(await catalog.allowReload(url))) return false;
    const reloaded: Result<null> = await inspector.reloadWithAgent();
    if (!reloaded.ok) runs.report(reloaded.error);
    return reloaded.ok;
  };

  #isBusy(): boolean {
    return this.#options.page.lost.peek()?.code === 'PAGE_BUSY';
  }
}
