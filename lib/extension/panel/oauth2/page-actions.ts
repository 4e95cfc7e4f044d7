/** Starts logins, logouts, refreshes, and API calls in the page, and tracks them until they end. */
import { signal } from '@preact/signals';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { ActionRequest, ApiResponse, OAuth2Inspector } from '../../inspector/oauth2/index.ts';
import type { EntryDetail } from './types.ts';

export interface RunningAction {
  id: number;
  action: ActionRequest['action'];
  service: string;
  /** `waiting`: the user needs to click on the page. */
  state: 'waiting' | 'started';
}

type ActionDetail = Extract<EntryDetail, { kind: 'action' }>;

export class PageActions {
  readonly running = signal<readonly RunningAction[]>([]);
  readonly apiResponse = signal<{ service: string; response: ApiResponse } | null>(null);
  readonly error = signal<ErrorValue | null>(null);
  readonly #inspector: OAuth2Inspector;

  constructor(inspector: OAuth2Inspector) {
    this.#inspector = inspector;
  }

  async start(request: ActionRequest): Promise<void> {
    const { action, service } = request;
    this.error.value = null;
    if (action === 'api') this.apiResponse.value = null;
    const started = this.settle(await this.#inspector.startAction(request));
    if (started) this.running.value = [...this.running.peek(), { id: started.id, action, service, state: 'started' }];
  }

  async cancel(id: number): Promise<void> {
    // False means that the page no longer knows about the action, so no event will end it.
    if (this.settle(await this.#inspector.cancel(id)) === false) this.#remove(id);
  }

  onEvent(service: string, { id, state }: ActionDetail): void {
    const running = this.running.peek().find((each) => each.id === id && each.service === service);
    if (!running) return;
    if (state === 'waiting' || state === 'started') {
      this.running.value = this.running.peek().map((each) => (each === running ? { ...each, state } : each));
      return;
    }
    this.#remove(id);
    if (running.action === 'api') void this.#fetchApiResponse(running);
  }

  /** A new document doesn't continue the old document's actions. */
  reset(): void {
    this.running.value = [];
    this.apiResponse.value = null;
  }

  /** Returns the value. If there's an error, stores it and returns null. */
  settle<T>(result: Result<T>): T | null {
    if (result.ok) return result.value;
    this.error.value = result.error;
    return null;
  }

  #remove(id: number): void {
    this.running.value = this.running.peek().filter((each) => each.id !== id);
  }

  async #fetchApiResponse({ id, service }: RunningAction): Promise<void> {
    const found = this.settle(await this.#inspector.apiResponse(id));
    if (found?.response) this.apiResponse.value = { service, response: found.response };
  }
}
