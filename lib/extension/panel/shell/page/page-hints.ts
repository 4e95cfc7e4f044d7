/** Explains why a page can't run its action or why its runs can't be fully traced, and what to do. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import { plural } from '../../../../shared/format.ts';
import type { Engine, PageState } from '../../../inspector/contract.ts';

export interface PageHint {
  code: string;
  title: string;
  text: string;
  /** The button to show. */
  offer: 'open' | 'reload' | 'options' | null;
}

/**
 * Why a page can't run its action; null if it can.
 * @param hasToken whether the document was requested with the token
 */
export function hintOf(state: PageState, namespace: string, hasToken = false): PageHint | null {
  const { platform, platformDetail } = state;
  const found = platformDetail ? ` Found: ${platformDetail}.` : '';
  switch (platform) {
    case 'absent':
      return hasToken ? absent(state, namespace) : (withoutToken(state) ?? absent(state, namespace));
    case 'not-an-object':
      return {
        code: 'PLATFORM_NOT_AN_OBJECT',
        title: `${namespace} isn’t an object`,
        text: `The page defines ${namespace} as something else.${found} Remove the line that does so, then reload the page.`,
        offer: 'reload',
      };
    case 'throws':
      return {
        code: 'PLATFORM_THROWS',
        title: `Couldn’t read ${namespace}`,
        text: `Reading ${namespace} throws an error.${found} Fix the script that defines it, then reload the page.`,
        offer: 'reload',
      };
    case 'no-pipeline':
      return {
        code: 'PLATFORM_NO_PIPELINE',
        title: 'This page has no pipeline',
        text:
          `${namespace}.App.Actions.Pipeline.run() isn’t defined.${found} ` +
          'This isn’t an action’s debug page, or its scripts are still loading.',
        offer: 'reload',
      };
    case 'ready':
      return null;
  }
}

/** A reload or Back by the browser has no token. Null if that can't be the page's problem. */
function withoutToken({ navigation, env }: PageState): PageHint | null {
  const { status } = navigation ?? {};
  if ((status !== 401 && status !== 403) || env?.taskId == null) return null;
  return {
    code: 'PAGE_WITHOUT_TOKEN',
    title: 'The platform refused this page',
    text: `The response had status ${status}. The browser’s own Reload and Back don’t send the token. If you used neither, check the token.`,
    offer: 'open',
  };
}

function absent({ frames, navigation }: PageState, namespace: string): PageHint {
  const { status = 200 } = navigation ?? {};
  if (status >= 400)
    return {
      code: 'PLATFORM_ABSENT',
      title: 'The page failed to load',
      text: `The server responded with status ${status}. Choose an app and an action above, then select Open.`,
      offer: null,
    };
  const absence = `The page doesn’t define ${namespace}`;
  if (frames?.withNamespace)
    return {
      code: 'PLATFORM_IN_FRAME',
      title: 'The debug page is in a frame',
      text: `${absence}, but its frame does: ${frames.withNamespace}. Open that URL in the tab itself.`,
      offer: null,
    };
  const unchecked = frames?.unchecked
    ? ` The panel can’t check ${plural(frames.unchecked, 'frame')} of other sites. Open a frame’s URL in the tab itself.`
    : '';
  return {
    code: 'PLATFORM_ABSENT',
    title: 'This page isn’t a debug page',
    text:
      `${absence}. Choose an app and an action above, then select Open.${unchecked} ` +
      `If your platform’s pages use another name, replace ${namespace} under Namespace in the environment’s options.`,
    offer: 'options',
  };
}

/** What can't be traced in a page; null if everything can. */
export function tracingHintOf(state: PageState, engine: Engine, canReload: boolean): PageHint | null {
  if (state.platform !== 'ready' || state.tracing === 'observed' || engine === 'ours') return null;
  if (state.tracing === 'wrapped')
    return {
      code: 'TRACING_WRAPPED',
      title: 'Only function calls are traced',
      text: 'This page’s runtime doesn’t report loops and conditions. To see them, choose Our engine beside Run.',
      offer: null,
    };
  const bare = { code: 'TRACING_BARE', title: 'Only the start and end are traced' };
  if (!state.canTraceAfterReload)
    return { ...bare, text: 'This page’s runtime reports only the start and end of a run.', offer: null };
  const step = canReload ? ' Reload with tracing to see their calls.' : '';
  return {
    ...bare,
    text: `This page’s functions were registered before the panel could watch them.${step}`,
    offer: canReload ? 'reload' : null,
  };
}

/** Why a page that *Open* has loaded isn't the one that the platform serves for the token; null if it is. */
export function openProblem(state: PageState | null, lost: ErrorValue | null): ErrorValue | null {
  if (state ? !/^https?:/.test(state.url) : lost?.code === 'PAGE_UNREACHABLE') return notShown(state);
  const { status, isFromServiceWorker } = state?.navigation ?? { status: 200, isFromServiceWorker: false };
  if (isFromServiceWorker)
    return {
      code: 'PAGE_FROM_SERVICE_WORKER',
      message:
        'Couldn’t confirm that the page was opened with the token: a service worker of this origin handled the request.',
      hint: 'To rule it out, unregister it in Application > Service workers, then open the page again.',
    };
  if (status < 400) return null;
  return {
    code: 'PAGE_REFUSED',
    message: `Couldn’t open the page with the token: the tab got status ${status}.`,
    hint: 'Open the page again. If the error persists, check what changes requests to this host.',
  };
}

/** Without a page's state, the reason isn't known. */
const notShown = (state: PageState | null): ErrorValue => ({
  code: 'PAGE_NOT_SHOWN',
  message: state
    ? 'Couldn’t open the page: the browser shows a page of its own instead.'
    : 'Couldn’t confirm whether the page is open: DevTools can’t inspect it.',
  hint: 'Check the tab: the connection can be lost, or another extension can block the page. Then open the page again.',
});
