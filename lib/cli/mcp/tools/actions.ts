/** Tools that list and read actions, and that publish one. */
import * as v from 'valibot';
import { CodedError } from '../../../platform-api/index.ts';
import { publishAction, readRevision } from '../../../rest/index.ts';
import { listActions } from '../../operations/list-actions.ts';
import { matching } from '../../operations/matching.ts';
import { defineTool } from '../tool.ts';
import { action, actionOf, app, id, notRead, offset, PAGE, search } from './shared.ts';

export const listActionsTool = defineTool({
  name: 'list_actions',
  description: 'List the actions of an app. search: part of a name, or an ID.',
  entries: { app, search, offset },
  handler: async ({ app: given, search: wanted, offset: from }, call) => {
    const appId = call.session.app(given);
    const all = await listActions(call.session.connection, appId, call);
    const found = matching(all, wanted);
    const items = found.slice(from, from + PAGE).map((each) => ({
      id: each.id,
      name: each.name,
      runsOn: each.environment,
      active: each.active,
      triggers: each.triggers.map(({ trigger }) => trigger),
      revision: each.revision,
      published: Boolean(each.published),
      unpublishedChanges: each.unpublishedChanges,
      lastRunAt: each.lastRunAt,
    }));
    return { ...notRead(all), list: { name: 'actions', items, offset: from, total: found.length } };
  },
});

export const readActionTool = defineTool({
  name: 'read_action',
  description:
    'Read an action (name or ID) with its pipeline: the working copy, the published copy, or an earlier revision.',
  entries: { app, action, copy: v.optional(v.picklist(['working', 'published']), 'working'), revision: v.optional(id) },
  handler: async ({ app: given, action: wanted, copy, revision }, call) => {
    const { session } = call;
    const appId = session.app(given);
    const { published, ...working } = await actionOf(call, appId, wanted);
    if (revision !== undefined) {
      const address = { appId, actionId: working.id, revision };
      return { data: { revision: await readRevision(session.connection, address, call) } };
    }
    if (copy === 'working') return { data: { action: working } };
    if (published) return { data: { published, publishedAt: working.publishedAt } };
    throw new CodedError({
      code: 'ACTION_NOT_PUBLISHED',
      message: `The action ${session.quoted(working.name)} has no published copy.`,
      hint: 'Read its working copy.',
    });
  },
});

export const publishActionTool = defineTool({
  name: 'publish_action',
  description:
    'Publish the working copy of an action: live apps run it then. Needs --allow-writes. revision: fails if it has another one.',
  writes: true,
  entries: { app, action, revision: v.optional(id) },
  handler: async ({ app: given, action: wanted, revision }, call) => {
    call.requireWrites('publish an action');
    const { connection } = call.session;
    const appId = call.session.app(given);
    const found = await actionOf(call, appId, wanted);
    // What the user confirms is what is published, also if someone changes the action now.
    const expected = revision ?? found.revision;
    const { id: actionId, name, environment, active, functions, triggers } = found;
    await call.confirm({
      message: `Publish action ${call.session.quoted(name)} (ID ${actionId}, revision ${expected ?? 'unknown'}) of app ${appId}?`,
      change: ['publish_action', appId, actionId, expected ?? [name, environment, active, functions, triggers]],
    });
    const done = await publishAction(connection, { appId, actionId, publish: true, revision: expected });
    return {
      note: 'The action was published.',
      data: { action: { id: done.id, name: done.name, revision: done.revision, publishedAt: done.publishedAt } },
    };
  },
});
