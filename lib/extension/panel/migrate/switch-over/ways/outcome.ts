/** Decides which errors of a change mean that it wasn’t made. All others are unknown outcomes. */
import type { ErrorValue, Result } from '../../../../../platform-api/errors.ts';
import type { ApiTarget } from '../../../../inspector/api/contract.ts';
import type { PageState } from '../../../../inspector/contract.ts';

/** The worker stopped, was slow, or was replaced, so nobody knows what it has sent. Or the platform made another change. */
const UNKNOWN: ReadonlySet<string> = new Set([
  'OUTCOME_UNKNOWN',
  'WORKER_UNREACHABLE',
  'WORKER_SLOW',
  'WORKER_SILENT',
  'EXTENSION_RELOADED',
  'CHANGE_IGNORED',
  'PAGE_ANSWER_UNREADABLE',
]);

/** Gives all unknown outcomes one code, and keeps what they say. */
export async function outcomeOf<T>(change: Promise<Result<T>>): Promise<Result<T>> {
  const result = await change;
  if (result.ok || !UNKNOWN.has(result.error.code)) return result;
  return { ok: false, error: { ...result.error, code: 'OUTCOME_UNKNOWN' } };
}

/** The error on platforms that have V2 only. */
export const v3Missing = (namespace: string): ErrorValue => ({
  code: 'V3_MISSING',
  message: `Couldn’t reach V3 actions: the page in the tab offers no ${namespace}.App.V3.Actions to the panel.`,
  hint: 'Save the files, and create the V3 action by hand.',
});

/** The document in the tab that has master copies of V3 actions. */
export function targetOf(
  page: Pick<PageState, 'documentId' | 'env' | 'url'> | null,
  appId: number,
  namespace: string,
): Result<ApiTarget> {
  if (page === null) {
    const message = 'Couldn’t reach V3 actions: the tab has no page of the app. Nothing was changed.';
    return {
      ok: false,
      error: { code: 'PAGE_LEFT', message, hint: 'Open a debug page or the preview page of the app.' },
    };
  }
  if (page.env?.mode === 'live') {
    const message = 'Couldn’t reach V3 drafts: a live page has production copies only. Nothing was changed.';
    const hint = 'Open a debug page or the preview page of the app.';
    return { ok: false, error: { code: 'V3_LIVE_PAGE', message, hint } };
  }
  const { documentId, url } = page;
  return { ok: true, value: { documentId, origin: new URL(url).origin, appId, namespace } };
}

export const mapped = async <T, U>(result: Promise<Result<T>>, map: (value: T) => U): Promise<Result<U>> => {
  const settled = await result;
  return settled.ok ? { ok: true, value: map(settled.value) } : settled;
};
