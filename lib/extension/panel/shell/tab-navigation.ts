/** Navigates the inspected tab to debug pages and app pages. The worker opens them with the environment's token. */
import { signal, type Signal } from '@preact/signals';
import { toErrorValue } from '../../../platform-api/coded-error.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { Environment } from '../../messaging/model/environment.ts';
import type { OpenedPage, Send } from '../../messaging/protocol.ts';
import { debugTargetOf, type DebugTarget } from './debug-target.ts';

/** Seconds until a page that isn’t open yet is worth a word. */
const LONG = 3;

export class TabNavigation {
  readonly opening = signal(false);
  /** For how many seconds a page has been opening; null if that isn't long. */
  readonly openingFor = signal<number | null>(null);
  /** The environment whose token the last request of the tab carried, if its platform has no one-time tokens. */
  readonly tokenInLogOf = signal<string | null>(null);
  readonly #send: Send;
  readonly #tabId: number;
  readonly #error: Signal<ErrorValue | null>;
  readonly #environments: () => readonly Environment[];
  #abort: AbortController | null = null;

  /** @param error receives the error if a page can't be opened */
  constructor(
    { send, tabId }: { send: Send; tabId: number },
    error: Signal<ErrorValue | null>,
    environments: () => readonly Environment[],
  ) {
    this.#send = send;
    this.#tabId = tabId;
    this.#error = error;
    this.#environments = environments;
  }

  targetOf(url: string): DebugTarget | null {
    return debugTargetOf(url, this.#environments());
  }

  /**
   * Opens the page that `find` returns. Resolves to its target, to false on failure or *Cancel*, or to null if there's
   * no target.
   * @param options `leaveFirst` goes to about:blank first, for a page that has stopped responding. `payload`: what a debug
   * page is loaded with
   */
  async open(
    find: () => DebugTarget | null,
    { leaveFirst, payload }: { leaveFirst: boolean; payload?: string | undefined },
  ): Promise<DebugTarget | false | null> {
    this.#error.value = null;
    this.opening.value = true;
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const stopCounting = this.#countSeconds();
    try {
      const target = find();
      if (!target) return null;
      const request = { ...target, tabId: this.#tabId };
      const opened: Result<OpenedPage> =
        'taskId' in request
          ? await this.#send(
              'debugPage.open',
              { ...request, ...(leaveFirst && { leaveFirst }), ...(payload !== undefined && { payload }) },
              signal,
            )
          : await this.#send('pages.open', request, signal);
      this.#learn(target, opened);
      if (opened.ok) return target;
      if (!signal.aborted) this.#error.value = opened.error;
    } catch (thrown) {
      this.#error.value = toErrorValue(thrown);
    } finally {
      stopCounting();
      this.opening.value = false;
    }
    return false;
  }

  #countSeconds(): () => void {
    const from = performance.now();
    const timer = setInterval(() => {
      const seconds = Math.round((performance.now() - from) / 1_000);
      if (seconds >= LONG) this.openingFor.value = seconds;
    }, 1_000);
    return () => {
      clearInterval(timer);
      this.openingFor.value = null;
    };
  }

  #learn({ environmentId }: DebugTarget, opened: Result<OpenedPage>): void {
    if (opened.ok) this.tokenInLogOf.value = opened.value.tokenInLog ? environmentId : null;
  }

  cancel(): void {
    this.#abort?.abort();
  }

  async reopen(url: string, payload?: string): Promise<boolean | null> {
    const target = this.targetOf(url);
    const opened = await this.open(() => (target && 'taskId' in target ? target : null), { leaveFirst: true, payload });
    return opened && true;
  }

  async allowReload(url: string): Promise<boolean> {
    const target = this.targetOf(url);
    if (!target) return true;
    const request = { ...target, tabId: this.#tabId };
    const allowed: Result<OpenedPage> =
      'taskId' in request
        ? await this.#send('debugPage.allowReload', request)
        : await this.#send('pages.allowReload', request);
    this.#learn(target, allowed);
    if (!allowed.ok) this.#error.value = allowed.error;
    return allowed.ok;
  }
}
