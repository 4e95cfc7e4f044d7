/** Publishes a release of an app. */
import * as v from 'valibot';
import { CodedError, ReleaseType } from '../../../platform-api/index.ts';
import { listApps } from '../../../rest/index.ts';
import { publish } from '../../operations/publish.ts';
import { defineTool } from '../tool.ts';
import { app } from './shared.ts';

/** As long as a confirmation can show. */
const NOTES = 2_000;

export const publishAppTool = defineTool({
  name: 'publish_app',
  description:
    'Publish a release of an app to its users, with release notes. Needs --allow-writes. again: although it’s unknown how an earlier publish ended.',
  writes: true,
  entries: {
    app,
    type: v.optional(v.picklist(ReleaseType.options), 'silent'),
    notes: v.pipe(v.string(), v.regex(/\S/), v.maxLength(NOTES)),
    again: v.optional(v.boolean(), false),
  },
  handler: async ({ app: given, type, notes: text, again }, call) => {
    const notes = text.trim();
    call.requireWrites('publish a release');
    const { connection, options } = call.session;
    const appId = call.session.app(given);
    const found = (await listApps(connection, call)).find(({ id }) => id === appId);
    if (!found)
      throw new CodedError({
        code: 'NOT_FOUND',
        message: `Couldn’t find app ${appId} in the list of apps. Nothing was sent.`,
        hint: 'List the apps with list_apps.',
      });
    const version = found.version ?? 'unknown';
    await call.confirm({
      message: `Publish a ${type} release of app ${call.session.quoted(found.name)} (ID ${appId}, version ${version}) with the release notes ${call.session.quoted(notes, NOTES)}?`,
      change: ['publish_app', appId, version, type, notes, again],
    });
    const { app: done, settle } = await publish(
      connection,
      { appId, release: { type, changelog: notes }, again },
      { ...options, ...call },
    );
    const data = { app: { id: done.id, version: done.version } };
    return { note: 'The release was published.', data, onSent: settle };
  },
});
