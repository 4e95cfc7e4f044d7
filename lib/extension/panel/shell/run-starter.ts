/** Starts runs, and says what *Run* does: it first opens the selected action if the tab has another page. */
import { computed, effect, signal } from '@preact/signals';
import { payloadText } from '../run/payload/payload.ts';
import type { Payloads } from '../run/payload/payloads.ts';
import type { Runs } from '../run/runs.ts';
import type { ActionToOpen } from './action-to-open.ts';
import type { Catalog } from './catalog.ts';
import type { PageStore } from './page.ts';

/** How long a page may take until its action can run, in milliseconds. */
const READY_LIMIT = 15_000;

export interface RunStarterOptions {
  catalog: Catalog;
  page: PageStore;
  payloads: Payloads;
  runs: Runs;
  toOpen: { readonly value: ActionToOpen | null; peek(): ActionToOpen | null };
  /** Opens the selected action’s debug page. Resolves to whether it’s open. */
  open: () => Promise<boolean>;
}

export class RunStarter {
  readonly #options: RunStarterOptions;
  /** What happens to the page before the run starts. */
  readonly #preparing = signal<'open' | null>(null);
  /** Why *Run* is disabled; null if it's enabled. */
  readonly unavailable = computed(() => this.#reasonNotToRun());
  readonly label = computed(() => {
    if (this.#preparing.value) return 'Opening…';
    const action = this.#options.toOpen.value;
    return action ? `Open and run ${action.name}` : 'Run';
  });

  constructor(options: RunStarterOptions) {
    this.#options = options;
  }

  #reasonNotToRun(): string | null {
    const { toOpen, catalog, payloads } = this.#options;
    const reason = toOpen.value ? catalog.cannotOpen.value : this.#reasonOfPage();
    return this.#reasonToWait() ?? reason ?? (payloads.check.value.problem ? 'Fix the payload' : null);
  }

  #reasonToWait(): string | null {
    const { runs } = this.#options;
    if (runs.live.value || runs.starting.value) return 'Wait for the current run to end, or stop it';
    return this.#preparing.value ? 'Wait for the page to open' : null;
  }

  #reasonOfPage(): string | null {
    const { page } = this.#options;
    if (page.lost.value) return page.lost.value.message;
    if (!page.state.value) return 'Wait for the page inspection to finish';
    if (page.hint.value) return page.hint.value.title;
    return page.noPipeline.value ? 'Open the debug page of an action with a pipeline' : null;
  }

  async run(): Promise<void> {
    if (this.unavailable.peek() !== null) return;
    const { toOpen, open, runs, payloads } = this.#options;
    if (toOpen.peek() && !(await this.#prepare('open', open))) return;
    await runs.start(payloadText(payloads.text.peek()));
  }

  /** Runs the page's action, even if the toolbar selects another one. */
  async runInPage(payload: string): Promise<void> {
    if ((this.#reasonToWait() ?? this.#reasonOfPage()) === null) await this.#options.runs.start(payloadText(payload));
  }

  /** Resolves to whether the page can run the selected action now. */
  async #prepare(kind: 'open', prepare: () => Promise<boolean>): Promise<boolean> {
    this.#preparing.value = kind;
    try {
      return (await prepare()) && (await this.#whenReady()) && this.#options.toOpen.peek() === null;
    } finally {
      this.#preparing.value = null;
    }
  }

  /** A page can count as open while its scripts are still loading. */
  #whenReady(): Promise<boolean> {
    return new Promise((resolve) => {
      const limit = setTimeout(() => settle(false), READY_LIMIT);
      const stop = effect(() => {
        if (this.#reasonOfPage() === null) queueMicrotask(() => settle(true));
      });
      const settle = (isReady: boolean): void => {
        clearTimeout(limit);
        stop();
        resolve(isReady);
      };
    });
  }
}
