/** Implements the transport with `devtools.inspectedWindow.eval` for Chromium and Firefox, with a time limit. */
import { CodedError } from '../../platform-api/coded-error.ts';
import type { InspectorTransport } from './transport.ts';

/** The error details that Chromium and Firefox report for a failed evaluation. */
interface ExceptionInfo {
  isException?: boolean;
  isError?: boolean;
  value?: unknown;
  description?: unknown;
  code?: unknown;
  message?: unknown;
}

/** The subset of `browser.devtools` that the transport uses. */
export interface DevtoolsApi {
  inspectedWindow: {
    eval(expression: string): Promise<unknown>;
    reload(options: { ignoreCache?: boolean; injectedScript?: string }): unknown;
  };
  network: {
    onNavigated: { addListener(listener: () => void): void; removeListener(listener: () => void): void };
  };
  panels: object;
}

export function createEvalTransport({ inspectedWindow, network, panels }: DevtoolsApi): InspectorTransport {
  const evaluator = new Evaluator(inspectedWindow);
  const openResource = createOpenResource(panels);
  return {
    evaluate: (expression) => evaluator.evaluate(expression),
    ownsStack: true,
    // A service worker has no token, and only a reload without caches passes it.
    reload: (script) => void inspectedWindow.reload({ ignoreCache: true, injectedScript: script }),
    ...(openResource && { openResource }),
    onNavigated(listener) {
      network.onNavigated.addListener(listener);
      return () => network.onNavigated.removeListener(listener);
    },
  };
}

export interface EvaluatorLimits {
  /** Milliseconds until a page that doesn't respond is considered busy. */
  timeout?: number;
  /** Milliseconds until another evaluation is sent to a busy page, even if the page still hasn't responded. */
  retryAfter?: number;
}

/**
 * Runs one evaluation at a time; later ones wait. While one is overdue, later ones fail with `PAGE_BUSY`, so that they
 * don't pile up if the page never responds.
 */
export class Evaluator {
  readonly #inspectedWindow: Pick<DevtoolsApi['inspectedWindow'], 'eval'>;
  readonly #timeout: number;
  readonly #retryAfter: number;
  /** Settles when the page responds to the latest evaluation. */
  #pending: Promise<unknown> = Promise.resolve();
  #overdueSince: number | null = null;

  constructor(
    inspectedWindow: Pick<DevtoolsApi['inspectedWindow'], 'eval'>,
    { timeout = 4_000, retryAfter = 15_000 }: EvaluatorLimits = {},
  ) {
    this.#inspectedWindow = inspectedWindow;
    this.#timeout = timeout;
    this.#retryAfter = retryAfter;
  }

  async evaluate(expression: string): Promise<string> {
    if (this.#overdueSince !== null && performance.now() - this.#overdueSince < this.#retryAfter) throw pageBusy();
    const previous = this.#overdueSince === null ? this.#pending : Promise.resolve();
    let isRefused = false;
    // After an evaluation was reported as failed, it must not run when the page responds again.
    const response = previous.then(() => (isRefused ? Promise.reject(pageBusy()) : this.#send(expression)));
    this.#track(response);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isRefused = true;
        this.#overdueSince = performance.now();
        reject(pageBusy());
      }, this.#timeout);
    });
    try {
      return await Promise.race([response, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  #track(response: Promise<unknown>): void {
    const settled = response.then(
      () => {},
      () => {},
    );
    this.#pending = settled;
    void settled.then(() => {
      if (this.#pending === settled) this.#overdueSince = null;
    });
  }

  async #send(expression: string): Promise<string> {
    let response: unknown;
    try {
      response = await this.#inspectedWindow.eval(expression);
    } catch (thrown) {
      throw evaluationError(thrown);
    }
    // Firefox returns [value, exceptionInfo]. Our own expressions never evaluate to an array.
    if (Array.isArray(response)) {
      if (response[1]) throw evaluationError(response[1]);
      response = response[0];
    }
    if (typeof response === 'string') return response;
    throw new CodedError({
      code: 'PAGE_EXCEPTION',
      message: 'The page’s response isn’t a string.',
      hint: 'Reload the page.',
    });
  }
}

function evaluationError(thrown: unknown): CodedError {
  const info = (typeof thrown === 'object' && thrown !== null ? thrown : { description: thrown }) as ExceptionInfo;
  if (info.isException)
    return new CodedError({
      code: 'PAGE_EXCEPTION',
      message: `The page threw an exception: ${String(info.value ?? 'unknown')}`.slice(0, 500),
      hint: 'Reload the page.',
    });
  const reason = String(info.description ?? info.message ?? info.code ?? 'unknown reason').slice(0, 300);
  return new CodedError({
    code: 'PAGE_UNREACHABLE',
    message: `DevTools can’t inspect this page: ${reason}.`,
    hint: 'Open the debug page of an action or a page of an app. Browser pages and extension stores are off limits.',
  });
}

function pageBusy(): CodedError {
  return new CodedError({
    code: 'PAGE_BUSY',
    message: 'The page isn’t responding: it’s busy or paused in the debugger.',
    hint: 'Try resuming the debugger or reloading the page. If the page loops forever, close its tab.',
  });
}

/** Promisifies `devtools.panels.openResource`. Undefined if the browser doesn't have it. */
function createOpenResource(panels: {
  openResource?: (url: string, line: number, callback?: (response?: unknown) => void) => unknown;
}): InspectorTransport['openResource'] {
  if (typeof panels.openResource !== 'function') return undefined;
  return (url, line) =>
    new Promise((resolve) => {
      panels.openResource?.(url, line, (response) =>
        resolve(!(typeof response === 'object' && response !== null && (response as ExceptionInfo).isError)),
      );
    });
}
