/**
 * Starts runs, and says what *Run* does: it first opens the selected action if the tab has another page, and reloads the
 * page if its action was saved in this panel.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { DebugOptions, Engine } from '../../inspector/contract.ts';
import { compact, mustLoadWith } from '../../inspector/run/loaded-payload.ts';
import { payloadText } from '../run/payload/payload.ts';
import { isSameQuestion } from '../shared/guard-questions.ts';
import type { Guard } from '../shared/production-guard.ts';
import type { Mocks } from '../run/mocks/mocks.ts';
import type { Payloads } from '../run/payload/payloads.ts';
import type { Runs } from '../run/runs.ts';
import type { ActionToOpen } from './action-to-open.ts';
import type { Catalog } from './catalog.ts';
import type { PageRun } from './page/page-run.ts';
import type { PageStore } from './page/page.ts';
import type { PageVersion } from './page/page-version.ts';

/** How long a page may take until its action can run, in milliseconds. */
const READY_LIMIT = 15_000;

const NOT_READY: ErrorValue = {
  code: 'PAGE_NOT_READY',
  message: `Couldn’t run the action: its page wasn’t ready within ${READY_LIMIT / 1_000} seconds. Nothing was run.`,
  hint: 'Wait until the page has loaded, then select Run.',
};
const OTHER_PAGE: ErrorValue = {
  code: 'PAGE_NOT_READY',
  message: 'Couldn’t run the action: the tab shows another page. Nothing was run.',
  hint: 'Check the selected action and the page in the tab, then try again.',
};

const PAYLOAD_LOST: ErrorValue = {
  code: 'PAYLOAD_NOT_SET',
  message: 'Couldn’t run the action: its page was loaded without the payload. Nothing was run.',
  hint: 'Check if the platform redirects the debug page to a URL without its payload.',
};

const PREPARING = { open: 'Opening…', reload: 'Reloading…', load: 'Loading…' };

type RunSubject = 'selected' | 'tab' | 'reloaded';

export interface RunStarterOptions {
  catalog: Catalog;
  page: PageStore;
  payloads: Payloads;
  runs: Runs;
  toOpen: { readonly value: ActionToOpen | null; peek(): ActionToOpen | null };
  guard: Guard;
  /** What is about to run: the selected action, or the one in the tab, as it is or after a reload. */
  pageRun: (of: RunSubject) => PageRun;
  /** Opens the selected action’s debug page. Resolves to whether it’s open. */
  open: () => Promise<boolean>;
  version: PageVersion;
  /** Reloads the page, with a payload if it's given. Resolves to false on failure, which it reports. */
  reload: (payload?: string) => Promise<boolean>;
  engine: { readonly chosen: { peek(): Engine } };
  /** A run starts only once it’s known which mocks are on. */
  mocks: Pick<Mocks, 'cannotApply' | 'isLoaded' | 'whenLoaded'>;
}

export class RunStarter {
  readonly #options: RunStarterOptions;
  /** What happens to the page before the run starts. */
  readonly #preparing = signal<keyof typeof PREPARING | null>(null);
  /** Whether the page is looked at once more before the run starts. */
  readonly #isInspecting = signal(false);
  /** ID of the last document that was awaited. One that never finishes loading is awaited once. */
  #awaited: string | undefined;
  /**
   * The selected action if the tab is known to have another page. Until the new page is known, the label doesn’t change,
   * so that the buttons beside it don’t move at the moment when the page is open.
   */
  readonly #toOpen = computed(() => {
    const { page, toOpen } = this.#options;
    return page.state.value || page.lost.value ? toOpen.value : null;
  });
  /** The ID of the run before which the page was reloaded. */
  readonly reloadedFor = signal<string | null>(null);
  /** Why *Run* is disabled; null if it's enabled. */
  readonly unavailable = computed(() => this.#reasonNotToRun());
  /** Why the page's action can't be run; null if it can. */
  readonly unavailableInPage = computed(() => this.#reasonInPage());
  readonly label = computed(() => {
    if (this.#preparing.value) return PREPARING[this.#preparing.value];
    const action = this.#toOpen.value;
    return action ? `Open and run ${action.name}` : 'Run';
  });

  /** The production environment that *Run* runs in, if it isn't the selected one, which the toolbar shows. */
  readonly otherProduction = computed(() => {
    const { catalog, pageRun } = this.#options;
    const { environmentId } = pageRun('selected');
    const environment = catalog.environments.value.value?.find(({ id }) => id === environmentId);
    return environment?.production && environment.id !== catalog.environment.value?.id ? environment : null;
  });

  constructor(options: RunStarterOptions) {
    this.#options = options;
  }

  #reasonNotToRun(): string | null {
    const { catalog, payloads } = this.#options;
    const reason = this.#toOpen.value ? catalog.cannotOpen.value : this.#reasonOfPage();
    return this.#reasonToWait() ?? reason ?? (payloads.check.value.problem ? 'Fix the payload' : null);
  }

  #reasonToWait(): string | null {
    const { catalog, runs } = this.#options;
    const environments = catalog.environments.value;
    // Until then, it's unknown whether the page is production.
    if (environments.value === null && environments.state !== 'failed') return 'Wait for the environments to load';
    if (runs.live.value || runs.starting.value || this.#isInspecting.value)
      return 'Wait for the current run to end, or stop it';
    const preparing = this.#preparing.value;
    return preparing ? `Wait for the page to ${preparing}` : this.#options.mocks.cannotApply.value;
  }

  #reasonOfPage(): string | null {
    const { page } = this.#options;
    if (page.lost.value) return page.lost.value.message;
    if (page.pause.value) return 'Resume the page in the debugger first';
    if (!page.state.value) return 'Wait for the page inspection to finish';
    if (page.hint.value) return page.hint.value.title;
    return page.noPipeline.value ? 'Open the debug page of an action with a pipeline' : null;
  }

  async run(): Promise<void> {
    if (!this.#options.mocks.isLoaded.peek()) await this.#options.mocks.whenLoaded();
    if (this.unavailable.peek() !== null) return;
    const isReplaced = this.#options.toOpen.peek() !== null || this.#options.version.isSavedHere.peek();
    if (isReplaced || (await this.#isStillInTab())) await this.#allow('selected', (allowed) => this.#run(allowed));
  }

  /**
   * Looks at the page once more, because the tab can have another document since then, for example after a reload.
   * Resolves to whether it still has the same action, which can have other functions.
   */
  async #isStillInTab(): Promise<boolean> {
    const { page, pageRun, runs } = this.#options;
    const before = pageRun('tab');
    this.#isInspecting.value = true;
    await page.inspect();
    this.#isInspecting.value = false;
    const now = pageRun('tab');
    const isSameAction = now.action === before.action && now.environmentId === before.environmentId;
    if (!isSameAction) runs.report(OTHER_PAGE);
    return isSameAction;
  }

  /** The question comes first, before the page is opened or reloaded. */
  async #allow(of: RunSubject, work: (allowed: PageRun) => Promise<void>): Promise<void> {
    const { guard, pageRun, runs } = this.#options;
    const asked = pageRun(of);
    await guard.allow(asked.environmentId, asked.question, async () =>
      isSame(pageRun(of), asked) ? work(asked) : runs.report(OTHER_PAGE),
    );
  }

  async #run(allowed: PageRun): Promise<void> {
    if (this.unavailable.peek() !== null) return;
    const { toOpen, open, payloads } = this.#options;
    if (toOpen.peek() && !(await this.#prepare('open', { replace: open }))) return;
    await this.#start(payloads.text.peek(), allowed);
  }

  /**
   * Runs the page's action, even if the toolbar selects another one.
   * @param debug what only this run is debugged with
   */
  async runInPage(payload: string, debug?: DebugOptions): Promise<void> {
    if (!this.#options.mocks.isLoaded.peek()) await this.#options.mocks.whenLoaded();
    if (this.unavailableInPage.peek() !== null) return;
    if (!this.#options.version.isSavedHere.peek() && !(await this.#isStillInTab())) return;
    await this.#allow('tab', async (allowed) =>
      this.unavailableInPage.peek() === null ? this.#start(payload, allowed, debug) : undefined,
    );
  }

  /** Whether the page, whose pipeline is known, might still load the scripts with its functions. */
  #isLoading(): boolean {
    const page = this.#options.page.state.peek();
    return page !== null && !page.ready && page.documentId !== this.#awaited;
  }

  #reasonInPage(): string | null {
    return this.#reasonToWait() ?? this.#reasonOfPage();
  }

  async #start(payload: string, allowed: PageRun, debug?: DebugOptions): Promise<void> {
    if (this.#options.version.isSavedHere.peek()) return this.#reloadAndStart(payload, allowed, debug);
    if (this.#isLoading() && !(await this.#prepare('load'))) return;
    await this.#startInTab(payload, allowed, debug);
  }

  /** While the page was prepared, the tab can have gone to another one, even to another environment's. */
  async #startInTab(payload: string, allowed: PageRun, debug?: DebugOptions): Promise<void> {
    const { page, pageRun, runs, mocks } = this.#options;
    if (!this.#isAllowedIn(pageRun('tab'), allowed)) return runs.report(OTHER_PAGE);
    if (!(await this.#loadWith(payloadText(payload)))) return;
    const inTab = pageRun('tab');
    const { environmentId, question } = inTab;
    const isAllowed = environmentId === allowed.environmentId && (question.harmless || !allowed.question.harmless);
    const start = async (): Promise<void> => {
      // The page’s action can be another one than before, with other mocks.
      await mocks.whenLoaded();
      if (mocks.cannotApply.peek() !== null) return;
      await runs.start(payloadText(payload), page.state.peek()?.documentId, debug);
    };
    if (!this.#isAllowedIn(inTab, allowed)) runs.report(OTHER_PAGE);
    else if (isAllowed) await start();
    else await this.#allow('tab', start);
  }

  /** A page of no environment can say that it has any action. */
  #isAllowedIn(inTab: PageRun, allowed: PageRun): boolean {
    const isLeft = inTab.environmentId === null && allowed.environmentId !== null;
    return inTab.action === allowed.action && !isLeft;
  }

  /** A runtime can read the payload while its page loads. Resolves to whether the page has it. */
  async #loadWith(payload: string): Promise<boolean> {
    if (!this.#mustLoadWith(payload)) return true;
    const { page, reload, runs } = this.#options;
    const previous = page.state.peek()?.documentId;
    if (!(await this.#prepare('reload', { replace: () => reload(compact(payload)), previous }))) return false;
    if (!this.#mustLoadWith(payload)) return true;
    runs.report(PAYLOAD_LOST);
    return false;
  }

  #mustLoadWith(payload: string): boolean {
    const { page, engine } = this.#options;
    const state = page.state.peek();
    return state !== null && mustLoadWith(state, engine.chosen.peek(), payload);
  }

  /** Reloads the page, which then has the action's latest pipeline, and runs it. */
  readonly reloadAndRun = async (): Promise<void> => {
    if (!this.#options.mocks.isLoaded.peek()) await this.#options.mocks.whenLoaded();
    if (this.unavailable.peek() !== null) return;
    await this.#allow('reloaded', (allowed) => this.#reloadAndStart(this.#options.payloads.text.peek(), allowed));
  };

  async #reloadAndStart(payload: string, allowed: PageRun, debug?: DebugOptions): Promise<void> {
    const { page, reload, runs } = this.#options;
    const previous = page.state.peek()?.documentId;
    const given = this.#mustLoadWith(payloadText(payload)) ? compact(payloadText(payload)) : undefined;
    if (!(await this.#prepare('reload', { replace: () => reload(given), previous }))) return;
    const earlier = runs.shown.peek()?.record.id;
    await this.#startInTab(payload, allowed, debug);
    const shown = runs.shown.peek()?.record.id;
    if (shown !== undefined && shown !== earlier) this.reloadedFor.value = shown;
  }

  /**
   * Waits until the page can run its action, and resolves to whether it can.
   * @param replace opens or reloads the page first, and resolves to whether it did
   * @param previous ID of the document that another one must have replaced
   */
  async #prepare(
    kind: keyof typeof PREPARING,
    { replace, previous }: { replace?: () => Promise<boolean>; previous?: string | undefined } = {},
  ): Promise<boolean> {
    this.#preparing.value = kind;
    try {
      if (replace && !(await replace())) return false;
      const isReady = await this.#whenReady(previous);
      this.#awaited = this.#options.page.state.peek()?.documentId;
      if (isReady && (kind !== 'open' || this.#options.toOpen.peek() === null)) return true;
      this.#options.runs.report(isReady ? OTHER_PAGE : NOT_READY);
      return false;
    } finally {
      this.#preparing.value = null;
    }
  }

  /**
   * The runtime is there before the scripts that register its functions, so this waits until the page has loaded. A
   * page that never finishes loading, as when an image hangs, can run its action once the limit is reached.
   */
  #whenReady(previous: string | undefined): Promise<boolean> {
    const { page } = this.#options;
    const canRun = computed(() => this.#reasonOfPage() === null && page.state.value?.documentId !== previous);
    return new Promise((resolve) => {
      const limit = setTimeout(() => settle(canRun.peek()), READY_LIMIT);
      const stop = effect(() => {
        if (canRun.value && page.state.value?.ready) queueMicrotask(() => settle(true));
      });
      const settle = (isReady: boolean): void => {
        clearTimeout(limit);
        stop();
        resolve(isReady);
      };
    });
  }
}

const isSame = (a: PageRun, b: PageRun): boolean =>
  a.environmentId === b.environmentId && a.action === b.action && isSameQuestion(a.question, b.question);
