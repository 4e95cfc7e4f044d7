/** Explains why a page can't run its action or why its runs can't be fully traced, and what to do. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { Engine, PageState } from '../../../inspector/contract.ts';

export interface PageHint {
  code: string;
  title: string;
  text: string;
  /** The button to show. */
  offer: 'reload' | 'options' | null;
}

/** Why a page can't run its action; null if it can. */
export function hintOf({ platform, platformDetail }: PageState, namespace: string): PageHint | null {
  const found = platformDetail ? ` Found: ${platformDetail}.` : '';
  switch (platform) {
    case 'absent':
      return {
        code: 'PLATFORM_ABSENT',
        title: 'This page isn’t a debug page',
        text:
          `The page doesn’t define ${namespace}. Choose an app and an action above, then select Open. ` +
          `If your platform’s pages use another name, replace ${namespace} under Namespace in the environment’s options.`,
        offer: 'options',
      };
    case 'not-an-object':
      return {
        code: 'PLATFORM_NOT_AN_OBJECT',
        title: `${namespace} isn’t an object`,
        text: `A script on the page has overwritten ${namespace}.${found} Remove the line that overwrites it, then reload the page.`,
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
export function openProblem(state: PageState | null): ErrorValue | null {
  const { status, isFromServiceWorker } = state?.navigation ?? { status: 200, isFromServiceWorker: false };
  if (isFromServiceWorker)
    return {
      code: 'PAGE_FROM_SERVICE_WORKER',
      message: 'Couldn’t open the page with the token: a service worker of this origin responded instead.',
      hint: 'Unregister it in Application > Service workers, then open the page again.',
    };
  if (status < 400) return null;
  return {
    code: 'PAGE_REFUSED',
    message: `Couldn’t open the page with the token: the tab got status ${status}.`,
    hint: 'Open the page again. If the error persists, check what changes requests to this host.',
  };
}
