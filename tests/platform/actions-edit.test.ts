/**
 * The rules of actions (decisions, "Actions"), each broken once in the editor's draft and once over HTTP: the same
 * code, message, and paths.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toErrorValue } from '../../lib/platform-api/coded-error.ts';
import type { Action } from '../../lib/platform-api/index.ts';
import type { Send } from '../../lib/extension/messaging/protocol.ts';
import { RestActions } from '../../lib/extension/panel/actions/backend/rest.ts';
import { ActionEditor } from '../../lib/extension/panel/actions/edit/editor.ts';
import { createAction, listActions, updateAction } from '../../lib/rest/index.ts';
import { start, type TestPlatform } from './support/platform.ts';
import { step } from './support/page.ts';
import { ALWAYS_ALLOWED } from '../support/always-allowed.ts';

const APP = 103;
let platform: TestPlatform;
beforeAll(async () => {
  platform = await start();
});
afterAll(() => platform.close());

/** The messages as the background worker handles them, without a browser in between. */
const send = (async (name: string, takes: never) => {
  const connection = { baseUrl: platform.baseUrl, token: platform.authToken };
  const operations: Record<string, (connection: never, args: never) => Promise<unknown>> = {
    'actions.create': createAction as never,
    'actions.update': updateAction as never,
    'actions.list': listActions as never,
  };
  try {
    return { ok: true, value: await operations[name]!(connection as never, takes) };
  } catch (error) {
    return { ok: false, error: toErrorValue(error) };
  }
}) as unknown as Send;

const backend = new RestActions(send, { environmentId: 'local', appId: APP });
const store = { payloads: async () => [], savePayload: async () => {}, removePayload: async () => {} };
function edit(action: Action | null): ActionEditor {
  return new ActionEditor({ backend: () => backend, guard: ALWAYS_ALLOWED, store, action, onSaved: () => {} });
}

interface Reported {
  code: string;
  message: string;
  details: { path: string; message: string }[] | undefined;
}

/**
 * The problem that the form reports for a draft, and whether it reports it while editing, before a request to the
 * platform.
 */
async function inForm(editor: ActionEditor, draft: unknown): Promise<{ live: boolean; reported: Reported | 'saved' }> {
  editor.replace(draft);
  const refusal = editor.cannotSave.value;
  if (refusal !== null)
    return { live: true, reported: { code: 'INVALID', message: refusal, details: [...editor.problems.value] } };
  await editor.save();
  const refused = editor.error.value?.said;
  return { live: false, reported: refused ? { ...refused, details: editor.error.value?.details } : 'saved' };
}

/** Only the platform knows these: taken names, its screens, and its packages, whose list may be outdated. */
const isItsOwn = (reported: Reported | 'saved'): boolean =>
  reported !== 'saved' &&
  (reported.code === 'NAME_TAKEN' ||
    reported.details!.some(
      ({ message }) => message.startsWith('No function is registered') || /^App \d+ has no screen/.test(message),
    ));

async function overHttp(method: string, path: string, body: unknown): Promise<Reported | 'saved'> {
  const response = await platform.ask(path, { method, body });
  return response.status < 300
    ? 'saved'
    : { code: response.body.error, message: response.body.message, details: response.body.details };
}

const ACTIONS = `/v1/apps/${APP}/actions`;
const names = async (): Promise<string[]> =>
  (await platform.ask<{ actions: Action[] }>(ACTIONS)).body.actions.map(({ name }) => name);
const withStep = (one: unknown) => ({ functions: [one] });
const inLoop = (one: unknown) => withStep({ type: 'loop', items: 'records', functions: [one] });
const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });

const BROKEN: [string, Record<string, unknown>][] = [
  ['a name of 256 characters', { name: 'n'.repeat(256) }],
  ['a name with spaces', { name: 'two words' }],
  ['an empty name', { name: '' }],
  ['a name that isn’t a string', { name: 7 }],
  ['a name that is taken', { name: 'check-platform' }],
  ['an unknown environment', { environment: 'cloud' }],
  ['active that is neither true nor false', { active: 'yes' }],
  ['triggers that aren’t an array', { triggers: 'log' }],
  ['an unknown trigger', { triggers: [{ trigger: 'email' }] }],
  ['a trigger that isn’t an object', { triggers: ['manual'] }],
  ['a trigger with another field', { triggers: [{ trigger: 'manual', when: 1 }] }],
  ['too many triggers', { triggers: Array.from({ length: 101 }, () => ({ trigger: 'manual' })) }],
  ['a where filter that isn’t an object', { triggers: [{ trigger: 'log', where: [1] }] }],
  ['a where filter that is too long', { triggers: [{ trigger: 'log', where: { data: 'x'.repeat(10_001) } }] }],
  ['a where filter that is too deep', { triggers: [{ trigger: 'log', where: deep(21) }] }],
  ['a log type that isn’t a string', { triggers: [{ trigger: 'log', where: { type: 1 } }] }],
  ['an unknown analytics type', { triggers: [{ trigger: 'analytics', where: { type: 'analytics.click' } }] }],
  ['a log trigger on the client', { environment: 'client', triggers: [{ trigger: 'log' }] }],
  [
    'a schedule trigger on the client',
    { environment: 'client', triggers: [{ trigger: 'schedule' }], frequency: '0 0 * * *' },
  ],
  ['an analytics trigger on the server', { environment: 'server', triggers: [{ trigger: 'analytics' }] }],
  [
    'two triggers that do not fit',
    { environment: 'client', triggers: [{ trigger: 'manual' }, { trigger: 'log' }, { trigger: 'schedule' }] },
  ],
  ['a schedule trigger without a frequency', { triggers: [{ trigger: 'schedule' }] }],
  ['four cron fields', { frequency: '* * * *' }],
  ['six cron fields', { frequency: '0 * * * * *' }],
  ['an empty frequency', { frequency: '' }],
  ['31 February', { frequency: '0 0 31 2 *' }],
  ['a minute of 60', { frequency: '60 * * * *' }],
  ['a range that runs backwards', { frequency: '0 5-3 * * *' }],
  ['a step of 0', { frequency: '*/0 * * * *' }],
  ['a frequency that isn’t a string', { frequency: 5 }],
  ['an unknown time zone', { timezone: 'Europe/Nowhere' }],
  ['an abbreviated time zone', { timezone: 'CET' }],
  ['a page ID that isn’t a number', { pageId: '2001' }],
  ['a fractional page ID', { pageId: 1.5 }],
  ['a page of another app', { pageId: 2101 }],
  ['a property that no action has', { functons: [] }],
  ['functions that aren’t an array', { functions: {} }],
  ['an unknown package', withStep({ functionPackage: 'com.acme.none' })],
  [
    'an unknown package, nested',
    inLoop({
      type: 'if',
      conditions: [{ condition: 'true', functions: [{ functionPackage: 'none' }] }],
      elseFunctions: [{ functionPackage: 'nor-this' }],
    }),
  ],
  ['a step without a package', withStep({ settings: {} })],
  ['a step that isn’t an object', withStep('wait')],
  ['an unknown type of step', withStep({ type: 'while' })],
  ['settings that aren’t an object', withStep({ ...step('wait', {}), settings: 7 })],
  [
    'a loop with both items and range',
    withStep({ type: 'loop', items: 'a', range: { from: 1, to: 2 }, functions: [] }),
  ],
  ['a loop with neither', withStep({ type: 'loop', functions: [] })],
  ['a range without an end', withStep({ type: 'loop', range: { from: 1 }, functions: [] })],
  [
    'a condition that isn’t an expression',
    withStep({ type: 'if', conditions: [{ condition: 'Admin == ', functions: [] }] }),
  ],
  [
    'a condition with a way out',
    withStep({ type: 'if', conditions: [{ condition: 'constructor.constructor("x")()', functions: [] }] }),
  ],
  ['an if without conditions', withStep({ type: 'if' })],
];

describe('the form reports a broken rule with the same code, message, and paths as HTTP', () => {
  it.each(BROKEN)('when creating an action with %s', async (_, broken) => {
    const draft = { name: 'never-made', ...broken };
    const before = await names();
    const expected = await overHttp('POST', ACTIONS, draft);
    expect(expected).toMatchObject({ code: expect.stringMatching(/^(INVALID|NAME_TAKEN)$/) });
    expect(await inForm(edit(null), draft)).toEqual({ live: !isItsOwn(expected), reported: expected });
    expect(await names()).toEqual(before);
  });

  it.each(BROKEN)('when changing an action to %s', async (what, broken) => {
    const name = `made-${BROKEN.findIndex(([one]) => one === what)}`;
    const { action } = (await platform.ask<{ action: Action }>(ACTIONS, { method: 'POST', body: { name } })).body;
    const editor = edit(action);
    const draft = { ...(editor.draft.value!.value as object), ...broken };
    const expected = await overHttp('PUT', `${ACTIONS}/${action.id}`, draft);
    expect(await inForm(editor, draft)).toEqual({ live: !isItsOwn(expected), reported: expected });
    expect((await platform.ask<{ action: Action }>(`${ACTIONS}/${action.id}`)).body.action).toEqual(action);
  });
});

describe('an action returned by get', () => {
  const everyAction = async (): Promise<Action[]> =>
    (
      await Promise.all(
        platform.apps.map(
          async ({ id }) => (await platform.ask<{ actions: Action[] }>(`/v1/apps/${id}/actions`)).body.actions,
        ),
      )
    ).flat();

  it('can be sent back unchanged, for each action of the demo', async () => {
    const all = await everyAction();
    expect(all.length).toBeGreaterThan(10);
    for (const action of all) {
      const response = await platform.ask<{ action: Action }>(`/v1/apps/${action.appId}/actions/${action.id}?by=id`, {
        method: 'PUT',
        body: action,
      });
      expect({ name: action.name, status: response.status, action: response.body.action }).toEqual({
        name: action.name,
        status: 200,
        action: { ...action, revision: action.revision! + 1, updatedAt: expect.any(String) },
      });
    }
  });

  it('can be changed in the form, for each action of the demo', async () => {
    for (const action of await everyAction()) {
      const editor = edit(action);
      expect({ name: action.name, problems: editor.problems.value, cannotSave: editor.cannotSave.value }).toEqual({
        name: action.name,
        problems: [],
        cannotSave: 'Change the action to save it',
      });
      editor.set('/active', !action.active);
      expect({ name: action.name, problems: editor.problems.value, cannotSave: editor.cannotSave.value }).toEqual({
        name: action.name,
        problems: [],
        cannotSave: null,
      });
    }
  });

  it('may have no time zone, like actions without a schedule on some platforms, which means UTC', async () => {
    const { action } = (
      await platform.ask<{ action: Action }>(ACTIONS, { method: 'POST', body: { name: 'zoneless', timezone: null } })
    ).body;
    expect(action.timezone).toBe('UTC');
    expect(
      (
        await platform.ask<{ action: Action }>(`${ACTIONS}/${action.id}`, {
          method: 'PUT',
          body: { ...action, timezone: null },
        })
      ).body.action.timezone,
    ).toBe('UTC');
    const editor = edit({ ...action, timezone: null, revision: 2 });
    expect((editor.draft.value!.value as Action).timezone).toBe('UTC');
    editor.set('/active', false);
    await editor.save();
    expect(editor.base.value).toMatchObject({ active: false, timezone: 'UTC' });
  });
});

describe('a problem reported by the platform', () => {
  it('stays at its field until that field is changed', async () => {
    const editor = edit(null);
    await inForm(editor, { name: 'at-its-place', functions: [step('wait', { ms: 1 }), { functionPackage: 'none' }] });
    expect(editor.problems.value).toEqual([
      { path: '/functions/1', message: 'No function is registered under “none”.' },
    ]);
    editor.set('/name', 'another-name');
    expect(editor.problems.value).toHaveLength(1);
    editor.set('/functions/1/functionPackage', 'com.platform.function.wait');
    expect(editor.problems.value).toEqual([]);
    await editor.save();
    expect(editor.saved.value).toBe(true);
    expect(await names()).toContain('another-name');
  });
});

describe('saving', () => {
  const made = async (properties: object): Promise<Action> =>
    (await platform.ask<{ action: Action }>(ACTIONS, { method: 'POST', body: properties })).body.action;
  const read = async (id: number): Promise<Action> =>
    (await platform.ask<{ action: Action }>(`${ACTIONS}/${id}`)).body.action;

  it('preserves what HTTP accepts: unknown fields of a step, and __proto__ as data', async () => {
    const editor = edit(null);
    editor.setText(
      '{"name":"proto-form","functions":[{"functionPackage":"com.platform.function.wait","settings":{"ms":1,"__proto__":{"polluted":true}},"note":"mine"}]}',
    );
    editor.set('/active', false);
    await editor.save();
    const saved = await read(editor.base.value!.id);
    expect(JSON.stringify(saved.functions)).toBe(
      '[{"functionPackage":"com.platform.function.wait","settings":{"ms":1,"__proto__":{"polluted":true}},"note":"mine"}]',
    );
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('sends only what changed, so that someone else’s change since then is a conflict, and isn’t lost', async () => {
    const action = await made({ name: 'two-at-once', frequency: '0 7 * * *' });
    const editor = edit(action);
    editor.set('/frequency', '0 8 * * *');
    await platform.ask(`${ACTIONS}/${action.id}`, { method: 'PUT', body: { environment: 'server' } });
    await editor.save();
    expect(editor.conflict.value).toMatchObject({ environment: 'server', frequency: '0 7 * * *', revision: 2 });
    expect((await read(action.id)).frequency).toBe('0 7 * * *');
    await editor.overwrite();
    // Overwrites the whole action with the draft, including the environment.
    expect(await read(action.id)).toMatchObject({ environment: 'any', frequency: '0 8 * * *', revision: 3 });
    expect({ conflict: editor.conflict.value, saved: editor.saved.value }).toEqual({ conflict: null, saved: true });
  });

  it('accepts the other version on request, and the own draft can be restored', async () => {
    const action = await made({ name: 'theirs-or-mine' });
    const editor = edit(action);
    editor.set('/active', false);
    await platform.ask(`${ACTIONS}/${action.id}`, { method: 'PUT', body: { environment: 'server' } });
    await editor.save();
    editor.acceptTheirs();
    expect({
      isChanged: editor.isChanged.value,
      environment: (editor.draft.value!.value as Action).environment,
    }).toEqual({ isChanged: false, environment: 'server' });
    editor.undo();
    expect((editor.draft.value!.value as Action).active).toBe(false);
  });

  it('reports that the action was removed, keeps the draft, and creates the action again on request', async () => {
    const action = await made({ name: 'removed-meanwhile' });
    const editor = edit(action);
    editor.set('/active', false);
    await platform.ask(`${ACTIONS}/${action.id}`, { method: 'DELETE' });
    await editor.save();
    expect(editor.error.value?.message).toBe('Couldn’t save the action: the app’s list no longer has it.');
    expect(editor.isMissing.value).toBe(true);
    expect((editor.draft.value!.value as Action).active).toBe(false);
    await editor.recreate();
    expect(await read(editor.base.value!.id)).toMatchObject({ name: 'removed-meanwhile', active: false, revision: 1 });
    expect(editor.base.value!.id).not.toBe(action.id);
  });
});
