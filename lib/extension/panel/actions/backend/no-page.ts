/** The backend while an app's actions can't be reached: every call fails and says how to reach them. */
import type { ErrorValue } from '../../../../platform-api/errors.ts';
import type { OfApp } from '../../../messaging/protocol.ts';
import type { ActionsBackend, Limits, NoPageReason } from './types.ts';

export const NO_PAGE = 'APP_PAGE_MISSING';

const MESSAGES: Record<NoPageReason, string> = {
  absent: 'Couldn’t reach the app’s actions: this platform offers them only to the app’s own pages.',
  elsewhere: 'Couldn’t reach the app’s actions: the page in the tab isn’t at a URL of this environment.',
  'no-api':
    'Couldn’t reach the app’s actions: as far as is known, neither this platform nor the page in the tab offers them.',
};

const OPEN_PAGE = 'Open a debug page or the preview page of the app.';
const TEST = `${OPEN_PAGE} To check the platform again, test the connection on the options page.`;
const HINTS: Record<NoPageReason, string> = {
  absent: OPEN_PAGE,
  'no-api': TEST,
  elsewhere: 'Add the page’s site to the page URLs of the environment, if the platform serves its pages there.',
};

export function noPage(of: OfApp, reason: NoPageReason): ActionsBackend {
  const error: ErrorValue = {
    code: NO_PAGE,
    message: MESSAGES[reason],
    hint: HINTS[reason],
  };
  const fail = (): Promise<{ ok: false; error: ErrorValue }> => Promise.resolve({ ok: false, error });
  const why = 'Open a page of the app first.';
  const cannot: Limits = {
    revisions: why,
    publishedCopies: why,
    logRecords: why,
    dataSources: why,
    runIds: why,
    allLogs: why,
    logFilters: why,
    history: why,
    virtualClock: why,
  };
  return {
    of,
    way: 'none',
    missing: reason,
    cannot,
    list: fail,
    find: fail,
    create: fail,
    update: fail,
    remove: fail,
    publish: fail,
    history: fail,
    revision: fail,
    restore: fail,
    run: fail,
    runWithResult: fail,
    logs: fail,
    addLog: fail,
    functions: fail,
    dataSources: fail,
  };
}
