/** Tests what the panel knows about a page that it can’t inspect. */
import { signal } from '@preact/signals';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PageStore } from '../../../../../lib/extension/panel/shell/page/page.ts';
import type { ErrorValue } from '../../../../../lib/platform-api/errors.ts';

const UNREACHABLE: ErrorValue = { code: 'PAGE_UNREACHABLE', message: 'DevTools can’t inspect the page.' };
const BUSY: ErrorValue = { code: 'PAGE_BUSY', message: 'The page isn’t responding.' };

/** A store whose page fails every attempt to inspect it with these errors, in turn and then with the last one. */
function failing(...errors: [ErrorValue, ...ErrorValue[]]): PageStore {
  let attempts = 0;
  const attach = () => Promise.resolve({ ok: false as const, error: errors[Math.min(attempts++, errors.length - 1)]! });
  const inspector = { attach, pipeline: attach, capabilities: { source: false, reload: true } };
  return new PageStore(inspector, () => 'Platform', signal('platform'));
}

describe('a page that can’t be inspected', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is reported only when it lasts, because a navigation takes a moment', async () => {
    const store = failing(UNREACHABLE);
    store.onEvent({ kind: 'page-lost', error: UNREACHABLE });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.lost.value).toBeNull();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(store.lost.value).toEqual(UNREACHABLE);
  });

  it('is reported as busy when DevTools fails first, and the page then stays silent', async () => {
    const store = failing(UNREACHABLE, BUSY);
    store.onEvent({ kind: 'page-lost', error: UNREACHABLE });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(store.lost.value).toEqual(BUSY);
  });
});
