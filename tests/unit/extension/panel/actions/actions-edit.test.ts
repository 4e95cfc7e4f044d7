/** Tests an action's draft: form and JSON, steps, frequency in English, saving, and conflicts. */
import 'fake-indexeddb/auto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../../../lib/platform-api/action.ts';
import { OWN_SETTINGS } from '../../../../../lib/platform-api/functions/own-settings.ts';
import type { Send } from '../../../../../lib/extension/messaging/protocol.ts';
import { differences } from '../../../../../lib/extension/panel/actions/edit/differences.ts';
import {
  readDraft,
  readField,
  TEXT_LIMIT,
  writeDraft,
} from '../../../../../lib/extension/panel/actions/edit/draft-text.ts';
import { RestActions } from '../../../../../lib/extension/panel/actions/backend/rest.ts';
import { withUnreadable } from '../../../../../lib/platform-api/lists/unreadable.ts';
import { fakeSend } from '../../../../support/fake-send.ts';
import { copyOf } from '../../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { ActionEditor, type EditorOptions } from '../../../../../lib/extension/panel/actions/edit/editor.ts';
import {
  atTime,
  DEFAULT_PRESET,
  frequencyOf,
  type Preset,
  presetOf,
} from '../../../../../lib/extension/panel/actions/edit/schedule-presets.ts';
import { listedSettings, withSettings } from '../../../../../lib/extension/panel/actions/edit/settings-list.ts';
import { settingsOf } from '../../../../../lib/extension/panel/actions/edit/settings-problems.ts';
import { Completions } from '../../../../../lib/extension/panel/actions/edit/completions.ts';
import { describeFrequency } from '../../../../../lib/extension/panel/actions/edit/describe-frequency.ts';
import {
  Unparsed,
  valueAt,
  withItem,
  without,
  withValue,
} from '../../../../../lib/extension/panel/actions/edit/draft-value.ts';
import {
  addBranch,
  addStep,
  type Direction,
  moveStep,
  removeStep,
} from '../../../../../lib/extension/panel/actions/edit/steps.ts';
import { createRunStore } from '../../../../../lib/extension/panel/run/history/run-database.ts';
import { cpuTime } from '../../../../support/cpu-time.ts';
import { ALWAYS_ALLOWED } from '../../../../support/always-allowed.ts';

const ACTION: Action = {
  id: 7,
  appId: 1,
  name: 'report',
  active: true,
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
  frequency: null,
  timezone: 'UTC',
  pageId: null,
  functions: [{ functionPackage: 'a', settings: { n: 1 }, note: 'kept' }],
  revision: 3,
  lastRunAt: null,
  nextRunAt: null,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
};

type ApiResponse = (name: string, takes: { change?: object; action?: object }) => unknown;
function edit(
  action: Action | null,
  {
    response: respond = () => ({ ok: false, error: { code: 'NO', message: 'no' } }),
    name = crypto.randomUUID(),
    known,
    copy,
  }: { response?: ApiResponse; name?: string; known?: Completions; copy?: EditorOptions['copy'] } = {},
) {
  const sent: [string, { change?: object; action?: object }][] = [];
  const send = (async (message: string, takes: { change?: object }) => {
    sent.push([message, takes]);
    return respond(message, takes);
  }) as Send;
  const store = createRunStore(undefined, name);
  const editor = new ActionEditor({
    backend: () => new RestActions(send, { environmentId: 'local', appId: 1 }),
    guard: ALWAYS_ALLOWED,
    store,
    action,
    onSaved: () => {},
    copy,
    ...(known && { completions: known }),
  });
  return { editor, sent, store, name };
}
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 2));
};

describe('a draft of an action', () => {
  it('is one value in form and JSON, and preserves fields that the form doesn’t show', () => {
    const { editor } = edit(ACTION);
    editor.setText(editor.text.value.replace('"report"', '"report-2"'));
    editor.set('/functions/0/settings', { n: 2 });
    expect(JSON.parse(editor.text.value)).toMatchObject({
      name: 'report-2',
      functions: [{ functionPackage: 'a', settings: { n: 2 }, note: 'kept' }],
    });
  });

  it('preserves invalid JSON, and reports where it is invalid', () => {
    const { editor } = edit(ACTION);
    editor.setText('{\n  "name": report\n}');
    expect(editor.text.value).toBe('{\n  "name": report\n}');
    expect(editor.draft.value).toBeNull();
    expect(editor.problems.value).toEqual([
      { path: '', message: 'Invalid JSON at line 2, column 11: expected a value.' },
    ]);
    expect(editor.cannotSave.value).toContain('line 2, column 11');
  });

  it.each([
    ['{"a": 1, "a": 2}', 'The name “a” at line 1, column 10 is a duplicate. Remove one of the two.'],
    ['{"id": 9007199254740993}', 'The number 9007199254740993 at line 1, column 8 would become 9007199254740992.'],
  ])('doesn’t save %s, which would be saved changed', (text, message) => {
    const { editor } = edit(ACTION);
    editor.set('/functions/0/settings', readField(text));
    expect(editor.problems.value).toEqual([{ path: '/functions/0/settings', message }]);
    expect(editor.text.value).toContain(text);
    editor.setText(text);
    expect(editor.problems.value).toEqual([{ path: '', message }]);
  });

  it('preserves a field with invalid JSON, and reports its path, in both views', () => {
    const { editor } = edit(ACTION);
    editor.set('/functions/0/settings', readField('{"n": '));
    expect(editor.text.value).toContain('"settings": {"n": ,');
    expect(editor.problems.value).toEqual([
      { path: '/functions/0/settings', message: 'Invalid JSON at line 1, column 7: expected a value.' },
    ]);
    editor.set('/name', 'other');
    expect(valueAt(editor.draft.value?.value, '/functions/0/settings')).toEqual(new Unparsed('{"n": '));
  });

  it('of a new action shows problems only after the first change', () => {
    const { editor } = edit(null);
    expect(editor.problems.value).toEqual([]);
    expect(editor.isChanged.value).toBe(false);
    expect(editor.cannotSave.value).toContain('name must be');
    editor.set('/name', 'two words');
    expect(editor.problems.value).toEqual([
      { path: '/name', message: 'name must be 1 to 255 letters, digits, dashes, or underscores.' },
    ]);
  });

  it('rejects 10 MB immediately without changing anything', () => {
    const { editor } = edit(ACTION);
    const before = editor.text.value;
    const text = `{"name":"big","functions":[{"settings":{"a":"${'x'.repeat(10 * 1024 * 1024)}"}}]}`;
    expect(cpuTime(() => editor.setText(text))).toBeLessThan(200);
    expect(editor.error.value).toMatchObject({
      code: 'ACTION_TOO_LARGE',
      message: expect.stringContaining(TEXT_LIMIT.toLocaleString('en')),
    });
    expect(editor.text.value).toEqual(before);
    expect(editor.isChanged.value).toBe(false);
  });

  it('may have a million characters apart from whitespace, and reports more', () => {
    const { editor } = edit(ACTION);
    const functions = Array.from({ length: 12_000 }, (_, n) => ({
      functionPackage: 'com.platform.function.wait',
      settings: { ms: n },
    }));
    editor.set('/functions', functions);
    expect(editor.text.value.length).toBeGreaterThan(1_000_000);
    expect(editor.problems.value).toEqual([]);
    expect(editor.error.value).toBe(null);
    editor.set('/functions', [...functions, ...functions]);
    expect(editor.problems.value).toEqual([
      {
        path: '',
        message: expect.stringMatching(/limited to 1,000,000 characters of JSON\. This one has 1,[\d,]+\.$/),
      },
    ]);
    expect(editor.cannotSave.value).toContain('1,000,000');
  });

  it('rejects extremely nested JSON without harm', () => {
    const { editor } = edit(ACTION);
    editor.setText(`{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(editor.problems.value[0]?.message).toContain('less nesting');
  });

  it('keeps __proto__ as data in every change, and pollutes nothing', () => {
    const { editor } = edit(ACTION);
    editor.setText('{"name":"p","triggers":[{"trigger":"log","where":{"__proto__":{"polluted":1}}}],"functions":[]}');
    editor.set('/active', false);
    editor.set('/triggers/0/where/__proto__/more', 2);
    expect(editor.text.value.replaceAll(/\s/g, '')).toContain('"where":{"__proto__":{"polluted":1,"more":2}}');
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });
});

describe('the validation of steps during editing', () => {
  it('reports the engine’s problems beside all others', () => {
    const { editor } = edit(ACTION);
    editor.set('/functions/0', { functionPackage: '', settings: {} });
    expect(editor.problems.value).toEqual([
      { path: '/functions/0', message: 'The step doesn’t name a function package. Add functionPackage, or a type.' },
    ]);
    expect(editor.cannotSave.value).toContain('The step doesn’t name a function package');
    editor.set('/functions/0', {
      type: 'loop',
      items: '',
      functions: [{ type: 'if', conditions: [{ condition: 'a ==', functions: [] }] }],
    });
    editor.set('/name', 'two words');
    expect(editor.problems.value.map(({ path }) => path)).toEqual([
      '/name',
      '/functions/0/items',
      '/functions/0/functions/0/conditions/0/condition',
    ]);
    editor.set('/functions', {});
    expect(editor.problems.value.map(({ path }) => path).toSorted()).toEqual(['/functions', '/name']);
  });

  it('also works while a field isn’t valid JSON yet', () => {
    const { editor } = edit(ACTION);
    editor.set('/functions/0', { functionPackage: '', settings: readField('{') });
    expect(editor.problems.value.map(({ path }) => path)).toEqual(['/functions/0/settings', '/functions/0']);
  });

  it('checks 12,000 steps in less than a second', () => {
    const { editor } = edit(ACTION);
    const started = performance.now();
    editor.set(
      '/functions',
      Array.from({ length: 12_000 }, (_, n) => ({ functionPackage: '', settings: { ms: n } })),
    );
    expect(editor.problems.value).toHaveLength(100);
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it('marks unlisted packages, and lets the platform decide about them', async () => {
    let listed = ['a'];
    const send = fakeSend((name) => ({
      ok: true,
      value: name === 'functions.list' ? listed.map((name, id) => ({ id, name, package: name, description: '' })) : [],
    }));
    const known = new Completions(() => new RestActions(send, { environmentId: 'local', appId: 1 }));
    const { editor } = edit(ACTION, {
      known,
      response: (_name, { change }) => ({ ok: true, value: { ...ACTION, ...change, revision: 4 } }),
    });
    editor.set('/functions/0/functionPackage', 'b');
    expect(editor.problems.value).toEqual([]);
    await known.load();
    expect(editor.problems.value).toEqual([{ path: '/functions/0', message: 'No function is registered under “b”.' }]);
    expect(editor.cannotSave.value).toBeNull();
    listed = ['a', 'b'];
    await editor.save();
    await until(async () => editor.problems.value.length === 0);
    expect(editor.saved.value).toBe(true);
  });
});

describe('settings that a function needs', () => {
  const draft = { ...ACTION, functions: [{ functionPackage: 'com.platform.function.send-email', settings: {} }] };
  const described = new Completions(() => ({
    functions: async () => ({
      ok: true,
      value: [
        {
          id: 1,
          name: 'Send email',
          package: 'com.platform.function.send-email',
          description: '',
          settings: OWN_SETTINGS['com.platform.function.send-email'],
        },
      ],
    }),
    dataSources: async () => ({ ok: true, value: [] }),
  }));

  it('are warnings while they’re missing, which don’t prevent saving', () => {
    const { editor } = edit(draft);
    editor.set('/name', 'nightly');
    expect(editor.warnings.value.map(({ message }) => message)).toEqual([
      'The setting “to” is missing.',
      'The setting “subject” is missing.',
      'The setting “html” is missing.',
    ]);
    expect([editor.problems.value, editor.cannotSave.value]).toEqual([[], null]);
  });

  it('fail an active action that starts automatically, if the platform describes them', async () => {
    const { editor } = edit(draft, { known: described });
    editor.set('/triggers', [{ trigger: 'manual' }, { trigger: 'schedule' }]);
    editor.set('/frequency', '0 2 * * *');
    expect(editor.failsUnattended.value).toBe(false);
    await described.load();
    expect(editor.failsUnattended.value).toBe(true);
    editor.set('/active', false);
    expect(editor.failsUnattended.value).toBe(false);
    editor.set('/active', true);
    editor.set('/triggers', [{ trigger: 'manual' }]);
    expect(editor.failsUnattended.value).toBe(false);
  });

  it('are listed with their form, and added to the settings with an empty value', () => {
    const known = settingsOf('com.platform.function.http-request', null)!;
    const given = { url: '', timeout: 5 };
    expect(listedSettings(known, given).map(({ name, form, state }) => [name, form, state])).toEqual([
      ['url', 'string, required, {{expressions}}', 'empty'],
      ['method', 'string, optional, {{expressions}}', 'absent'],
      ['headers', 'object, optional, {{expressions}}', 'absent'],
      ['body', 'any value, optional, {{expressions}}', 'absent'],
    ]);
    expect(withSettings(known, given, ['url', 'headers'])).toEqual({ url: '', timeout: 5, headers: {} });
    expect(withSettings(known, undefined, ['url'])).toEqual({ url: '' });
    expect(withSettings(known, [1], ['url'])).toBeNull();
  });
});

describe('a copy of an action', () => {
  it('is inactive, has a free name within the limit, and is saved as a new action', async () => {
    const copy = { of: 7, fields: copyOf(ACTION, ['report', 'report-copy']) };
    const { editor, sent } = edit(null, { copy });
    await editor.ready;
    expect(sent).toEqual([]);
    await editor.save();
    expect(sent).toMatchObject([
      ['actions.create', { action: { name: 'report-copy-2', active: false, functions: ACTION.functions } }],
    ]);
    const long = { ...ACTION, name: 'n'.repeat(255) };
    expect(copyOf(long, []).name).toBe(`${'n'.repeat(250)}-copy`);
  });

  it('has a draft of its own, beside that of a new action', async () => {
    const blank = edit(null);
    blank.editor.set('/name', 'unfinished');
    await until(async () => (await blank.store.payloads('draft local/1')).length === 1);
    const copy = { of: 7, fields: copyOf(ACTION, []) };
    const first = edit(null, { name: blank.name, copy });
    await first.editor.ready;
    expect(first.editor.draft.value?.value).toMatchObject({ name: 'report-copy' });
    first.editor.set('/name', 'report-eu');
    await until(async () => (await blank.store.payloads('draft local/1')).length === 2);
    const again = edit(null, { name: blank.name, copy });
    await again.editor.ready;
    expect(again.editor.draft.value?.value).toMatchObject({ name: 'report-eu' });
    again.editor.discard();
    expect(again.editor.draft.value?.value).toEqual(copy.fields);
  });
});

describe('a schedule preset', () => {
  it.each<[string, Partial<Preset>]>([
    ['*/5 * * * *', { kind: 'minutes' }],
    ['30 * * * *', { kind: 'hourly', minute: 30 }],
    ['0 7 * * *', { kind: 'daily', hour: 7, minute: 0 }],
    ['15 6 * * 1-5', { kind: 'weekdays', hour: 6, minute: 15 }],
    ['0 7 * * 0', { kind: 'weekly', hour: 7, weekday: 0 }],
    ['5 23 31 * *', { kind: 'monthly', hour: 23, minute: 5, day: 31 }],
  ])('is read from %s, and written as it was', (frequency, expected) => {
    const preset = presetOf(frequency)!;
    expect(preset).toMatchObject(expected);
    expect(frequencyOf(preset)).toBe(frequency);
  });

  it('is read from other spellings', () => {
    expect(presetOf('0 7 * * MON')).toMatchObject({ kind: 'weekly', weekday: 1 });
    expect(presetOf('0 7 * * 7')).toMatchObject({ kind: 'weekly', weekday: 0 });
    expect(presetOf(' 0  7 * * mon-fri ')).toMatchObject({ kind: 'weekdays' });
  });

  it.each([
    '',
    '0 7 * *',
    '*/10 * * * *',
    '0 7 1 * MON',
    '0 7 * JAN *',
    '0 7,19 * * *',
    '60 7 * * *',
    '0 24 * * *',
    '0 7 32 * *',
    '0 7 * * 8',
  ])('has no preset for “%s”', (frequency) => {
    expect(presetOf(frequency)).toBeNull();
  });

  it('takes a time in 24 hours, and keeps its own when another text is entered', () => {
    expect(frequencyOf(atTime(DEFAULT_PRESET, '18:45'))).toBe('45 18 * * *');
    expect(frequencyOf(atTime(DEFAULT_PRESET, ' 930'))).toBe('30 9 * * *');
    for (const text of ['', '7', '24:00', '7:60', '7:00 PM']) expect(atTime(DEFAULT_PRESET, text)).toBe(DEFAULT_PRESET);
  });
});

describe('saving an action', () => {
  it('keeps what the platform ignored as a draft of the saved action', async () => {
    const error = {
      code: 'CHANGE_IGNORED',
      message: 'The platform saved the action, but reports another name than was sent.',
    };
    const { editor } = edit(ACTION, {
      response: (name) =>
        name === 'actions.list'
          ? { ok: true, value: [{ ...ACTION, active: false, revision: 4 }] }
          : { ok: false, error },
    });
    editor.set('/name', 'other');
    editor.set('/active', false);
    await editor.save();
    expect(editor.error.value).toEqual(error);
    expect(editor.base.value).toMatchObject({ name: ACTION.name, active: false, revision: 4 });
    expect(editor.draft.value?.value).toMatchObject({ name: 'other', active: false });
    expect(editor.isChanged.value).toBe(true);
    editor.set('/name', ACTION.name);
    expect(editor.isChanged.value).toBe(false);
  });

  it.each([
    ['a list that still has it', [ACTION]],
    ['a list in which it can’t be read', withUnreadable([], [{ id: 7, item: '“report”, ID 7', why: 'timezone: …' }])],
    ['a list that can’t be loaded', null],
  ])('doesn’t take a 404 for a removed action: %s', async (_what, value) => {
    const refusal = { code: 'NOT_FOUND', status: 404, message: 'Not found.' };
    const { editor } = edit(ACTION, {
      response: (name) => (name === 'actions.list' && value ? { ok: true, value } : { ok: false, error: refusal }),
    });
    editor.set('/name', 'other');
    await editor.save();
    expect(editor.error.value).toEqual(refusal);
    expect(editor.isMissing.value).toBe(false);
  });

  it('says that the action is no longer listed, once the list was read in whole', async () => {
    const { editor } = edit(ACTION, {
      response: (name) =>
        name === 'actions.list'
          ? { ok: true, value: [] }
          : { ok: false, error: { code: 'NOT_FOUND', status: 404, message: 'Not found.' } },
    });
    editor.set('/name', 'other');
    await editor.save();
    expect(editor.error.value?.message).toBe('Couldn’t save the action: the app’s list no longer has it.');
    expect(editor.isMissing.value).toBe(true);
  });

  it('sends only the changes, with the revision that they are based on', async () => {
    const { editor, sent } = edit(ACTION, {
      response: () => ({ ok: true, value: { ...ACTION, frequency: '0 7 * * *', revision: 4 } }),
    });
    editor.set('/frequency', '0 7 * * *');
    await editor.save();
    expect(sent).toEqual([
      [
        'actions.update',
        { environmentId: 'local', appId: 1, actionId: 7, change: { frequency: '0 7 * * *', revision: 3 } },
      ],
    ]);
    expect(editor.isChanged.value).toBe(false);
    expect(editor.saved.value).toBe(true);
    expect(editor.cannotSave.value).toBe('Change the action to save it');
  });

  it('treats a missing property as its default', async () => {
    const { editor, sent } = edit({
      ...ACTION,
      active: false,
      frequency: '0 7 * * *',
      triggers: [{ trigger: 'schedule' }],
    });
    editor.setText('{"name":"report","functions":[{"functionPackage":"a","settings":{"n":1},"note":"kept"}]}');
    await editor.save();
    expect(sent[0]?.[1].change).toEqual({
      active: true,
      frequency: null,
      triggers: [{ trigger: 'manual' }],
      revision: 3,
    });
  });

  it('preserves what is entered while saving', async () => {
    let finish = (): void => {};
    const { editor } = edit(ACTION, {
      response: () =>
        new Promise((resolve) => {
          finish = () => resolve({ ok: true, value: { ...ACTION, name: 'one', revision: 4 } });
        }),
    });
    editor.set('/name', 'one');
    const saving = editor.save();
    expect(editor.cannotSave.value).toBe('Wait until the action is saved');
    editor.set('/name', 'two');
    finish();
    await saving;
    expect(valueAt(editor.draft.value?.value, '/name')).toBe('two');
    expect(editor.isChanged.value).toBe(true);
    expect(editor.saved.value).toBe(false);
  });

  it.each([
    ['no connection', { code: 'PLATFORM_UNREACHABLE', message: 'No connection.' }],
    ['a refused token', { code: 'TOKEN_REFUSED', message: 'The token is refused.', status: 401 }],
    ['too large a body', { code: 'REQUEST_TOO_LARGE', message: 'Too large.', status: 413 }],
    ['an unknown outcome', { code: 'OUTCOME_UNKNOWN', message: 'Couldn’t confirm whether the action was changed.' }],
  ])('reports %s, and preserves the draft', async (_what, error) => {
    const { editor } = edit(ACTION, { response: () => ({ ok: false, error }) });
    editor.set('/name', 'other');
    await editor.save();
    expect(editor.error.value).toEqual(error);
    expect(valueAt(editor.draft.value?.value, '/name')).toBe('other');
    expect(editor.cannotSave.value).toBe(null);
  });
});

describe('an unsaved draft', () => {
  const isSaved = (store: ReturnType<typeof createRunStore>) => async (): Promise<boolean> =>
    (await store.payloads('draft local/1')).length > 0;

  it('is restored after the panel was closed, also when it is invalid JSON', async () => {
    const first = edit(ACTION);
    first.editor.set('/name', 'later');
    first.editor.setText(first.editor.text.value.replace('"later"', 'later'));
    await until(async () => (await first.store.payloads('draft local/1'))[0]?.text.includes(': later') ?? false);
    first.editor.dispose();
    const { editor } = edit(ACTION, { name: first.name });
    await editor.ready;
    expect(editor.text.value).toContain('"name": later');
    expect(editor.restoredAt.value).toBeGreaterThan(0);
    expect(
      (await edit(null, { name: first.name }).editor.ready,
      edit({ ...ACTION, id: 8 }, { name: first.name }).editor.isChanged.value),
    ).toBe(false);
  });

  it('is a conflict when someone else changed the action', async () => {
    const first = edit(ACTION);
    first.editor.set('/name', 'mine');
    await until(isSaved(first.store));
    const theirs = { ...ACTION, active: false, revision: 4 };
    const { editor } = edit(theirs, { name: first.name });
    await editor.ready;
    expect(editor.conflict.value).toEqual(theirs);
    expect(valueAt(editor.draft.value?.value, '/active')).toBe(true);
  });

  it('is removed when it is saved or discarded, and discarding can be undone', async () => {
    const { editor, store } = edit(ACTION);
    editor.set('/name', 'mine');
    await until(isSaved(store));
    editor.discard();
    await until(async () => !(await isSaved(store)()));
    expect(valueAt(editor.draft.value?.value, '/name')).toBe('report');
    editor.undo();
    expect(valueAt(editor.draft.value?.value, '/name')).toBe('mine');
    await until(isSaved(store));
  });
});

describe('the text of a draft', () => {
  it('parses back to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readDraft(writeDraft(value));
        expect(read.ok && JSON.stringify(read.value)).toBe(JSON.stringify(value));
      }),
    );
  });
});

describe('changing a value by pointer', () => {
  it('changes a copy, and leaves the original unchanged', () => {
    const before = { a: [{ 'b/c': 1 }, 2] };
    expect(withValue(before, '/a/0/b~1c', 3)).toEqual({ a: [{ 'b/c': 3 }, 2] });
    expect(withItem(before, '/a', 1, 'x')).toEqual({ a: [{ 'b/c': 1 }, 'x', 2] });
    expect(without(before, '/a/0')).toEqual({ a: [2] });
    expect(without(before, '/a')).toEqual({});
    expect(withValue({}, '/range/to', 5)).toEqual({ range: { to: 5 } });
    expect(before).toEqual({ a: [{ 'b/c': 1 }, 2] });
  });
});

describe('the steps of a draft', () => {
  const draft = {
    functions: [
      { functionPackage: 'a' },
      {
        type: 'if',
        conditions: [{ condition: 'x', functions: [{ functionPackage: 'b' }, { functionPackage: 'c' }] }],
        elseFunctions: [{ functionPackage: 'd' }],
      },
      { type: 'loop', items: 'list', functions: [{ functionPackage: 'e' }] },
    ],
  };
  const packages = (value: unknown): string =>
    JSON.stringify(value).replaceAll(
      /"functionPackage":|"type":|"functions":|"conditions":|"condition":"x",|"items":"list",|[":]/g,
      '',
    );

  it('are added after a step, inside it, in a branch, and at the end', () => {
    expect(addStep(draft, '/functions/0', 'loop', false).path).toBe('/functions/1');
    expect(addStep(draft, '/functions/2', 'function', true).path).toBe('/functions/2/functions/1');
    expect(addStep(draft, '/functions/1/conditions/0', 'function', false).path).toBe(
      '/functions/1/conditions/0/functions/2',
    );
    expect(addStep(draft, '/functions/1/elseFunctions', 'if', false).path).toBe('/functions/1/elseFunctions/1');
    expect(addStep({}, null, 'function', false)).toEqual({
      draft: { functions: [{ functionPackage: '', settings: {} }] },
      path: '/functions/0',
    });
  });

  it('get condition and else branches', () => {
    expect(addBranch(draft, '/functions/1', 'condition').path).toBe('/functions/1/conditions/1');
    expect(addBranch({ functions: [{ type: 'if' }] }, '/functions/0', 'else')).toEqual({
      draft: { functions: [{ type: 'if', elseFunctions: [] }] },
      path: '/functions/0/elseFunctions',
    });
  });

  it.each<[string, Direction, string | null]>([
    ['/functions/0', 'up', null],
    ['/functions/0', 'down', '/functions/1'],
    ['/functions/0', 'out', null],
    ['/functions/2', 'in', '/functions/1/elseFunctions/1'],
    ['/functions/1', 'in', '/functions/0/functions/0'],
    ['/functions/1/conditions/0/functions/1', 'up', '/functions/1/conditions/0/functions/0'],
    ['/functions/1/conditions/0/functions/1', 'out', '/functions/2'],
    ['/functions/1/elseFunctions/0', 'out', '/functions/2'],
    ['/functions/2/functions/0', 'out', '/functions/3'],
    ['/functions/1/conditions/0', 'out', null],
    ['/functions/1/elseFunctions', 'up', null],
  ])('move from %s %s to %s', (path, direction, to) => {
    const moved = moveStep(draft, path, direction);
    expect(moved?.path ?? null).toBe(to);
    if (moved && to) expect(valueAt(moved.draft, to)).toEqual(valueAt(draft, path));
  });

  it('are removed, and the next step is selected', () => {
    expect(removeStep(draft, '/functions/0').path).toBe('/functions/0');
    expect(removeStep(draft, '/functions/2').path).toBe('/functions/1');
    expect(removeStep(draft, '/functions/2/functions/0')).toMatchObject({ path: '/functions/2' });
    expect(removeStep(draft, '/functions/1/elseFunctions/0')).toMatchObject({ path: '/functions/1/elseFunctions' });
    expect(packages(removeStep(draft, '/functions/1/elseFunctions').draft)).not.toContain('elseFunctions');
    expect(removeStep({ functions: [{}] }, '/functions/0')).toEqual({ draft: { functions: [] }, path: null });
  });

  it('are never lost or duplicated by moving', () => {
    const sorted = (value: unknown): string =>
      [...JSON.stringify(value).matchAll(/"functionPackage":"(.)"/g)]
        .map(([, name]) => name)
        .sort()
        .join('');
    const paths = [
      '/functions/0',
      '/functions/1',
      '/functions/2',
      '/functions/1/conditions/0/functions/0',
      '/functions/1/elseFunctions/0',
      '/functions/2/functions/0',
    ];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...paths), fc.constantFrom<Direction>('up', 'down', 'in', 'out')), {
          maxLength: 12,
        }),
        (moves) => {
          let value: unknown = draft;
          for (const [path, direction] of moves)
            if (valueAt(value, path) !== undefined) value = moveStep(value, path, direction)?.draft ?? value;
          expect(sorted(value)).toBe('abcde');
        },
      ),
    );
  });
});

describe('the differences of two versions', () => {
  it('are listed by path, with an inserted item as the only addition', () => {
    const before = { a: 1, gone: 2, list: [{ x: 1 }, { y: 1 }] };
    const after = { a: 2, list: [{ new: 1 }, { x: 1 }, { y: 2 }], more: null };
    expect(differences(before, after)).toEqual([
      { path: '/a', kind: 'changed', before: 1, after: 2 },
      { path: '/gone', kind: 'removed', before: 2 },
      { path: '/list/0', kind: 'added', after: { new: 1 } },
      { path: '/list/2/y', kind: 'changed', before: 1, after: 2 },
      { path: '/more', kind: 'added', after: null },
    ]);
    expect(differences(before, structuredClone(before))).toEqual([]);
  });

  it('match steps that call the same function, also after insertions and removals', () => {
    const step = (functionPackage: string, to: string) => ({ functionPackage, settings: { to } });
    const before = [step('read', 'a'), step('mail', 'a'), step('wait', 'a')];
    expect(
      differences(before, [
        step('log', 'x'),
        step('read', 'a'),
        step('fill', 'x'),
        step('mail', 'b'),
        step('wait', 'c'),
      ]),
    ).toEqual([
      { path: '/0', kind: 'added', after: step('log', 'x') },
      { path: '/2', kind: 'added', after: step('fill', 'x') },
      { path: '/3/settings/to', kind: 'changed', before: 'a', after: 'b' },
      { path: '/4/settings/to', kind: 'changed', before: 'a', after: 'c' },
    ]);
    expect(differences(before, [step('mail', 'b'), step('wait', 'a')])).toEqual([
      { path: '/0', kind: 'removed', before: step('read', 'a') },
      { path: '/0/settings/to', kind: 'changed', before: 'a', after: 'b' },
    ]);
    // Another function at the same path counts as the same step, changed.
    expect(differences([step('read', 'a')], [step('fetch', 'a')])).toEqual([
      { path: '/0/functionPackage', kind: 'changed', before: 'read', after: 'fetch' },
    ]);
  });

  it('match items in long lists as in short ones', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => ({ functionPackage: 'mail', settings: { to: index } }));
    const after = structuredClone(before);
    after[15_000]!.settings.to = -1;
    after.splice(9_000, 0, { functionPackage: 'log', settings: { to: 0 } });
    expect(differences(before, after.slice(1))).toEqual([
      { path: '/0', kind: 'removed', before: before[0] },
      { path: '/8999', kind: 'added', after: after[9_000] },
      { path: '/15000/settings/to', kind: 'changed', before: 15_000, after: -1 },
    ]);
  });
});

describe('the description of a frequency', () => {
  it.each([
    ['0 7 * * MON', 'At 07:00 on Monday'],
    ['*/5 * * * *', 'Every 5 minutes'],
    ['* * * * *', 'Every minute'],
    ['0 0 * * *', 'At 00:00 every day'],
    ['0 */2 * * *', 'Every 2 hours'],
    ['15 * * * *', 'At minute 15 of every hour'],
    ['*/15 8-17 * * 1-5', 'Every 15 minutes in the hours 8 to 17 on Monday to Friday'],
    ['0 9 1 * MON', 'At 09:00 on day 1 of the month or on Monday'],
    ['0 0 */2 * MON', 'At 00:00 on every second day of the month from day 1 or on Monday'],
    ['0 0 2-31/2 * *', 'At 00:00 on every second day of the month from day 2'],
    ['0 0 */7 * *', 'At 00:00 on every 7th day of the month from day 1'],
    ['0 0 */10 * *', 'At 00:00 on day 1, 11, 21, and 31 of the month'],
    ['0 0 1-20/3 * *', 'At 00:00 on day 1, 4, 7, 10, 13, 16, and 19 of the month'],
    ['0 0 1-13,15-31 * *', 'At 00:00 on day 1 to 13 and 15 to 31 of the month'],
    ['0 0 * * */2', 'At 00:00 on Sunday, Tuesday, Thursday, and Saturday'],
    ['0 0 */15 * */3', 'At 00:00 on day 1, 16, and 31 of the month or on Sunday, Wednesday, and Saturday'],
    ['0 0 1-31 * MON', 'At 00:00 every day'],
    ['0 0 1 * 0-6', 'At 00:00 every day'],
    ['*/5 * */1 * 1', 'Every 5 minutes'],
    ['0 0 29 2 *', 'At 00:00 on day 29 of the month in February'],
    ['5,35 */6 * * *', 'At minute 5 and 35 of every 6th hour'],
    ['*/5 */12 * * *', 'Every 5 minutes of every 12th hour'],
    ['*/5 */2 * * *', 'Every 5 minutes of every second hour'],
    ['0 0 31 2 *', null],
  ])('describes %s as “%s”', (frequency, description) => {
    expect(describeFrequency(frequency)).toBe(description);
  });
});
