/** Owns the one way into the inspected page: `devtools.inspectedWindow.eval`, alike in Chromium and Firefox, with a time limit. */
import { CodedError } from '../../platform-api/coded-error.ts';
import type { Evaluate } from './run/types.ts';

/** What Chromium and Firefox tell about an evaluation that failed. */
interface ExceptionInfo {
  isException?: boolean;
  isError?: boolean;
  value?: unknown;
  description?: unknown;
  code?: unknown;
  details?: unknown[];
}
export interface InspectedWindow {
  eval(expression: string): Promise<unknown>;
}

/** Milliseconds until a page that does not answer counts as busy, and until it is asked anew all the same. */
const LIMIT = 4_000;
const ASK_ANEW = 15_000;

/**
 * @returns an `Evaluate` that has one evaluation under way at a time: later ones wait for it, and are refused with `PAGE_BUSY`
 * while it is overdue, so that none pile up behind a page that never answers.
 */
export function createEvaluate(
  inspectedWindow: InspectedWindow,
  limits: { limit?: number; askAnew?: number } = {},
): Evaluate {
  const { limit = LIMIT, askAnew = ASK_ANEW } = limits;
  /** Settles when the page answered the latest evaluation, or when it is given up for lost. */
  let busy: Promise<unknown> = Promise.resolve();
  let overdueSince: number | null = null;

  return async (expression) => {
    if (overdueSince !== null && Date.now() - overdueSince < askAnew) throw pageBusy();
    const before = overdueSince === null ? busy : Promise.resolve();
    let given = true;
    // What was refused must not happen later, when the page wakes up.
    const answer = before.then(() => (given ? ask(inspectedWindow, expression) : Promise.reject(pageBusy())));
    const settled = answer.then(
      () => {},
      () => {},
    );
    busy = settled;
    void settled.then(() => {
      if (busy === settled) overdueSince = null;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        given = false;
        overdueSince = Date.now();
        reject(pageBusy());
      }, limit);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function ask(inspectedWindow: InspectedWindow, expression: string): Promise<string> {
  let answer: unknown;
  try {
    answer = await inspectedWindow.eval(expression);
  } catch (thrown) {
    throw failure(thrown);
  }
  // Firefox answers [value, exceptionInfo]; our expressions never answer an array themselves.
  if (Array.isArray(answer)) {
    if (answer[1]) throw failure(answer[1]);
    answer = answer[0];
  }
  if (typeof answer !== 'string')
    throw new CodedError({
      code: 'PAGE_EXCEPTION',
      message: 'The page answered something that is not of this extension.',
      hint: 'Reload the page.',
    });
  return answer;
}

function failure(thrown: unknown): CodedError {
  const info = (typeof thrown === 'object' && thrown !== null ? thrown : { description: thrown }) as ExceptionInfo & {
    message?: unknown;
  };
  if (info.isException) {
    return new CodedError({
      code: 'PAGE_EXCEPTION',
      message: `The page threw: ${String(info.value ?? 'something')}`.slice(0, 500),
      hint: 'Reload the page.',
    });
  }
  const said = String(info.description ?? info.message ?? info.code ?? 'no reason given').slice(0, 300);
  return new CodedError({
    code: 'PAGE_UNREACHABLE',
    message: `DevTools cannot look into this page (${said}).`,
    hint: 'Open the debug page of an action, or a page of an app; browser pages and stores are closed to extensions.',
  });
}

function pageBusy(): CodedError {
  return new CodedError({
    code: 'PAGE_BUSY',
    message: 'The page does not answer: it is busy, or paused in the debugger.',
    hint: 'Wait, resume the debugger, or reload the page here. Where that does not help, it loops without end: close its tab.',
  });
}

/** `devtools.panels.openResource` as a Promise; undefined where the browser has none. */
export function createOpenResource(panels: {
  openResource?: (url: string, line: number, callback?: (answer?: unknown) => void) => unknown;
}): ((url: string, line: number) => Promise<boolean>) | undefined {
  if (typeof panels.openResource !== 'function') return undefined;
  return (url, line) =>
    new Promise((resolve) => {
      panels.openResource?.(url, line, (answer) =>
        resolve(!(typeof answer === 'object' && answer !== null && (answer as ExceptionInfo).isError)),
      );
    });
}
