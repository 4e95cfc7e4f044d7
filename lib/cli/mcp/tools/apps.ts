/** Tools that list apps and sessions. */
import { unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import { listApps } from '../../../rest/index.ts';
import { matching } from '../../operations/matching.ts';
import { sessionsFrom } from '../../operations/sessions-from.ts';
import { defineTool } from '../tool.ts';
import { app, notRead, offset, PAGE, search } from './shared.ts';

export const listAppsTool = defineTool({
  name: 'list_apps',
  description: 'List the apps of the environment. search: part of a name, or an ID.',
  entries: { search, offset },
  handler: async ({ search: wanted, offset: from }, { session, signal }) => {
    const apps = await listApps(session.connection, { signal });
    const found = matching(apps, wanted);
    const items = found
      .slice(from, from + PAGE)
      .map(({ id, name, version, updatedAt }) => ({ id, name, version, updatedAt }));
    return { ...notRead(apps), list: { name: 'apps', items, offset: from, total: found.length } };
  },
});

/** As many as a result could show. */
const SESSIONS = 200;

export const listSessionsTool = defineTool({
  name: 'list_sessions',
  description: 'List the analytics sessions of an app: who uses which version, on which device.',
  entries: { app, offset },
  handler: async ({ app: given, offset: from }, { session, signal }) => {
    const appId = session.app(given);
    const sessions = await sessionsFrom(session.connection, { appId, limit: SESSIONS + 1, offset: from }, { signal });
    const items = sessions.slice(0, SESSIONS).map(({ id, user, identifier, appVersion, lastAccessedAt }) => ({
      id,
      user: user?.email ?? null,
      device: [identifier?.os?.family, identifier?.os?.major].filter(Boolean).join(' '),
      browser: [identifier?.browser?.family, identifier?.browser?.major].filter(Boolean).join(' '),
      version: appVersion?.currentVersion ?? null,
      lastAccessedAt,
    }));
    const hasMore = items.length > 0 && sessions.length + unreadableOf(sessions).length > SESSIONS;
    return { ...notRead(sessions), list: { name: 'sessions', items, offset: from, total: null, hasMore } };
  },
});
