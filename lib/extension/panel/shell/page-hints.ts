/** Owns the words for a page that can't be run, or not be seen in full, and what mends it. */
import type { PageState } from '../../inspector/contract.ts';

/** What stands between the person and a run, in words; `offer` is the button that mends it. */
export interface PageHint {
  code: string;
  title: string;
  text: string;
  offer: 'reload' | null;
}

/** Why nothing can be run in a page; null when it can. */
export function hintOf(state: PageState, namespace: string): PageHint | null {
  const found = state.platformDetail ? ` Found: ${state.platformDetail}.` : '';
  const hint = (code: string, title: string, text: string, offer: PageHint['offer'] = null): PageHint => ({
    code,
    title,
    text,
    offer,
  });
  switch (state.platform) {
    case 'absent':
      return hint(
        'PLATFORM_ABSENT',
        'This page is not a debug page',
        `It has no ${namespace}. Choose an app and an action above and press Open, or open a compile URL in this tab. An installation that uses another name for ${namespace} has it set in its environment's options.`,
      );
    case 'not-an-object':
      return hint(
        'PLATFORM_NOT_AN_OBJECT',
        `${namespace} is not what it should be`,
        `The page defines ${namespace}, but not as an object.${found} A script of the page has overwritten it: look for an assignment to ${namespace}, then reload.`,
        'reload',
      );
    case 'throws':
      return hint(
        'PLATFORM_THROWS',
        `Reading ${namespace} fails`,
        `The page throws when ${namespace} is read.${found} Look at the page's console, mend the script that defines it, then reload.`,
        'reload',
      );
    case 'no-pipeline':
      return hint(
        'PLATFORM_NO_PIPELINE',
        'There is no pipeline to run here',
        `${namespace} is there, but ${namespace}.App.Actions.Pipeline.run() is not.${found} This is a page of the platform, though not an action's debug page; or its scripts are still loading.`,
        'reload',
      );
    case 'ready':
      return null;
  }
}

/** What a page's runtime keeps from being shown; null when nothing. */
export function tracingHintOf(state: PageState, canReload: boolean): PageHint | null {
  if (state.platform !== 'ready' || state.tracing === 'observed') return null;
  if (state.tracing === 'wrapped') {
    return {
      code: 'TRACING_WRAPPED',
      title: 'Less detail',
      text: 'This page’s runtime has no observer: calls of functions are shown, loops and conditions are not.',
      offer: null,
    };
  }
  if (!state.canTraceAfterReload)
    return {
      code: 'TRACING_BARE',
      title: 'Start and end only',
      text: 'This page’s runtime has no observer, and no functions that could be watched.',
      offer: null,
    };
  const next = canReload ? ' Reload with tracing to see their calls.' : '';
  return {
    code: 'TRACING_BARE',
    title: 'Start and end only',
    text: `This page’s runtime has no observer, and its functions were registered before the panel looked.${next}`,
    offer: canReload ? 'reload' : null,
  };
}
