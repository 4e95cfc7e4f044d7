/** Tests what the panel says about pages that can’t run an action, and about pages that *Open* didn’t open. */
import { describe, expect, it } from 'vitest';
import type { PageState } from '../../../../../lib/extension/inspector/contract.ts';
import { hintOf, openProblem } from '../../../../../lib/extension/panel/shell/page/page-hints.ts';

const ENV = { appId: 1, taskId: 2, organizationId: null, mode: null };
const page = (state: Partial<PageState> = {}) =>
  ({
    url: 'https://api.example.com/v1/apps/1/tasks/2/compile?html',
    platform: 'absent',
    env: null,
    ...state,
  }) as PageState;
const navigation = (status: number) => ({ status, isFromServiceWorker: false });

describe('a page without the namespace', () => {
  it('was refused, perhaps because the browser reloaded it without the token', () => {
    const reloaded = page({ env: ENV, navigation: navigation(401) });
    expect(hintOf(reloaded, 'Platform')).toMatchObject({
      code: 'PAGE_WITHOUT_TOKEN',
      title: 'The platform refused this page',
      offer: 'open',
    });
    // Open’s own request had the token.
    const refused = hintOf(reloaded, 'Platform', true);
    expect(refused).toMatchObject({ code: 'PLATFORM_ABSENT', text: expect.stringContaining('status 401') });
    expect(refused?.text).not.toContain('Namespace');
    expect(hintOf(page({ env: ENV, navigation: navigation(200) }), 'Platform')?.code).toBe('PLATFORM_ABSENT');
    expect(hintOf(page({ navigation: navigation(401) }), 'Platform')?.code).toBe('PLATFORM_ABSENT');
  });

  it('may have it in a frame', () => {
    const url = 'https://api.example.com/inner';
    const framed = hintOf(page({ frames: { withNamespace: url, unchecked: 0 } }), 'Platform');
    expect(framed).toMatchObject({ code: 'PLATFORM_IN_FRAME', text: expect.stringContaining(url) });
    expect(framed?.text).not.toContain('Namespace');
    const hidden = hintOf(page({ frames: { withNamespace: null, unchecked: 2 } }), 'Platform');
    expect(hidden?.text).toContain('The panel can’t check 2 frames of other sites.');
  });
});

describe('a page that Open has loaded', () => {
  it.each<[string | undefined, string, PageState | null, boolean]>([
    [undefined, 'the platform’s', page({ navigation: navigation(200) }), false],
    [undefined, 'one without a known status', page(), false],
    ['PAGE_REFUSED', 'one with an error status', page({ navigation: navigation(502) }), false],
    ['PAGE_NOT_SHOWN', 'the browser’s own error page', page({ url: 'chrome-error://chromewebdata/' }), false],
    ['PAGE_NOT_SHOWN', 'one that can’t be inspected', null, true],
    [undefined, 'one that isn’t known yet', null, false],
    [
      'PAGE_FROM_SERVICE_WORKER',
      'a service worker’s',
      page({ navigation: { status: 200, isFromServiceWorker: true } }),
      false,
    ],
  ])('has the problem %s if it’s %s', (code, _what, state, isLost) => {
    const lost = isLost ? { code: 'PAGE_UNREACHABLE', message: 'No.' } : null;
    expect(openProblem(state, lost)?.code).toBe(code);
  });
});
