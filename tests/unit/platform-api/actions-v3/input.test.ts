/** What callers can set on V3 actions, and the code of each problem (actions-v3, "The action record", "Errors"). */
import { describe, expect, it } from 'vitest';
import {
  actionV3Problems,
  readActionV3Change,
  readNewActionV3,
  type ActionV3Content,
} from '../../../../lib/platform-api/actions-v3/index.ts';
import { ERROR_CODES } from '../../../../lib/platform-api/error-codes.ts';

const CODE = 'async function execute(context) {}';
const valid = { name: 'a', code: CODE };
const codesOf = (read: ReturnType<typeof readNewActionV3 | typeof readActionV3Change>): string[] =>
  'problems' in read ? read.problems.map(({ code, path }) => `${code} ${path}`) : [];
const create = (more: object): string[] => codesOf(readNewActionV3({ ...valid, ...more }));

describe('a new action', () => {
  it('needs only a name and code', () => expect(readNewActionV3(valid)).toEqual({ value: valid }));

  it.each([
    ['NAME_REQUIRED', undefined],
    ['NAME_REQUIRED', null],
    ['NAME_EMPTY', ''],
    ['NAME_INVALID', 5],
    ['NAME_INVALID', 'a b'],
    ['NAME_INVALID', 'é'],
    ['NAME_INVALID', 'a\n'],
    ['NAME_TOO_LONG', 'a'.repeat(256)],
  ])('%s for the name %j', (code, name) => expect(create({ name })).toEqual([`${code} /name`]));

  it('can have a name of 255 letters, digits, dashes, and underscores', () =>
    expect(create({ name: 'aZ09-_'.padEnd(255, 'x') })).toEqual([]));

  it.each([undefined, null, 5, {}])('CODE_REQUIRED for the code %j', (code) =>
    expect(create({ code })).toEqual(['CODE_REQUIRED /code']),
  );

  it.each([
    ['ENVIRONMENT_INVALID /environment', { environment: 'cloud' }],
    ['ENVIRONMENT_INVALID /environment', { environment: null }],
    ['TRIGGERS_INVALID /triggers', { triggers: 'manual' }],
    ['TRIGGERS_INVALID /triggers', { triggers: Array(101).fill({ trigger: 'manual' }) }],
    ['TRIGGERS_INVALID /triggers/0', { triggers: ['manual'] }],
    ['TRIGGERS_INVALID /triggers/0/trigger', { triggers: [{}] }],
    ['TRIGGERS_INVALID /triggers/0/x', { triggers: [{ trigger: 'manual', x: 1 }] }],
    ['TRIGGER_TYPE_INVALID /triggers/1/trigger', { triggers: [{ trigger: 'manual' }, { trigger: 'webhook' }] }],
    ['TRIGGERS_INVALID /triggers/0/where', { triggers: [{ trigger: 'log' }] }],
    ['TRIGGERS_INVALID /triggers/0/where', { triggers: [{ trigger: 'analytics' }] }],
    ['TRIGGERS_INVALID /triggers/0/where', { triggers: [{ trigger: 'log', where: [] }] }],
    ['DEPENDENCIES_INVALID /dependencies', { dependencies: 'platform-datasources' }],
    ['DEPENDENCIES_INVALID /dependencies/0', { dependencies: [1] }],
    ['FREQUENCY_INVALID /frequency', { frequency: '* * * *' }],
    ['FREQUENCY_INVALID /frequency', { frequency: 5 }],
    ['TIMEZONE_INVALID /timezone', { timezone: 'CET+1' }],
    ['TIMEZONE_INVALID /timezone', { timezone: 5 }],
    ['INVALID /description', { description: 'x'.repeat(1_001) }],
    ['INVALID /description', { description: 5 }],
    ['INVALID /active', { active: 'yes' }],
    ['INVALID /functions', { functions: [] }],
    ['INVALID /pageId', { pageId: 1 }],
    ['INVALID /nextRunAt', { nextRunAt: null }],
  ])('%s', (expected, more) => expect(create(more)).toEqual([expected]));

  it('lists all problems', () =>
    expect(codesOf(readNewActionV3({ active: 1, environment: 'x' })).sort()).toEqual([
      'CODE_REQUIRED /code',
      'ENVIRONMENT_INVALID /environment',
      'INVALID /active',
      'NAME_REQUIRED /name',
    ]));

  it.each([null, [], 'x', 5])('must be an object, not %j', (given) =>
    expect(codesOf(readNewActionV3(given))).toEqual(['INVALID ']),
  );

  it('ignores what only the platform sets', () => {
    const response = {
      id: 1,
      appId: 2,
      assets: [],
      actionVersion: 'v3',
      lastRunAt: null,
      createdAt: '',
      updatedAt: '',
    };
    expect(create(response)).toEqual([]);
  });
});

describe('a change', () => {
  it('can be empty, or any part', () => {
    expect(readActionV3Change({})).toEqual({ value: {} });
    expect(readActionV3Change({ description: null, frequency: null })).toEqual({
      value: { description: null, frequency: null },
    });
  });
  it.each([
    ['NAME_REQUIRED /name', { name: null }],
    ['NAME_EMPTY /name', { name: '' }],
    ['CODE_REQUIRED /code', { code: null }],
    ['INVALID /revision', { revision: '1' }],
  ])('%s', (expected, change) => expect(codesOf(readActionV3Change(change))).toEqual([expected]));
});

describe('a whole action', () => {
  const whole: ActionV3Content = {
    ...valid,
    description: null,
    active: false,
    environment: 'any',
    triggers: [],
    dependencies: [],
    frequency: null,
    timezone: null,
  };
  const problems = (more: Partial<ActionV3Content>): string[] =>
    actionV3Problems({ ...whole, ...more }).map(({ code, path }) => `${code} ${path}`);
  const triggers = (...names: ('log' | 'schedule' | 'manual' | 'analytics')[]): ActionV3Content['triggers'] =>
    names.map((trigger) => ({ trigger }));

  it.each(['server', 'client', 'any'] as const)('can be empty of triggers on %s', (environment) =>
    expect(problems({ environment })).toEqual([]),
  );
  it.each([
    ['server', ['log', 'schedule', 'manual'], []],
    ['client', ['analytics', 'manual'], []],
    ['any', ['log', 'schedule', 'manual', 'analytics'], []],
    ['server', ['analytics'], ['TRIGGER_NOT_ALLOWED /triggers/0/trigger']],
    ['client', ['manual', 'log'], ['TRIGGER_NOT_ALLOWED /triggers/1/trigger']],
    ['client', ['schedule'], ['TRIGGER_NOT_ALLOWED /triggers/0/trigger']],
  ] as const)('on %s with the triggers %j has the problems %j', (environment, names, expected) =>
    expect(problems({ environment, triggers: triggers(...names), frequency: '0 7 * * *' })).toEqual(expected),
  );

  it('needs a frequency for a schedule', () =>
    expect(problems({ triggers: triggers('schedule') })).toEqual(['FREQUENCY_INVALID /frequency']));

  it.each(['* * * * *', '*/1 * * * *', '0-59 * * * *', '* * 1-31 * 0-6', '* * * * 0-7', ' *  * * * * '])(
    'is refused if it runs every minute: %j',
    (frequency) => expect(problems({ frequency })).toEqual(['FREQUENCY_TOO_FREQUENT /frequency']),
  );
  it.each(['*/2 * * * *', '* 7 * * *', '* * 1 * *', '* * * 1 *', '* * * * 1'])('can run at %j', (frequency) =>
    expect(problems({ frequency })).toEqual([]),
  );

  it('says where its code breaks a rule', () => {
    const [problem] = actionV3Problems({ ...whole, code: 'async function execute(ctx) {}' });
    expect(problem).toEqual({
      code: 'CODE_VALIDATION_FAILED',
      path: '/code',
      message: 'The first parameter of execute must be context (line 1, column 24).',
    });
  });
  it('must have code', () => expect(problems({ code: ' ' })).toEqual(['CODE_EMPTY /code']));
  it('must list the packages that its code uses', () => {
    const code = 'async function execute(context) { await Platform.DataSources.connect(1); }';
    expect(problems({ code })).toEqual(['DEPENDENCIES_INVALID /dependencies']);
    expect(problems({ code, dependencies: ['platform-datasources'] })).toEqual([]);
  });
});

it('every code that the specification lists is in the error reference', () => {
  const listed = `CODE_REQUIRED CODE_EMPTY CODE_VALIDATION_FAILED ENVIRONMENT_INVALID FREQUENCY_INVALID TIMEZONE_INVALID
    TRIGGERS_INVALID TRIGGER_TYPE_INVALID DEPENDENCIES_INVALID ACTION_NOT_FOUND ACTION_NOT_V3 CANNOT_UPDATE_PRODUCTION
    CANNOT_DELETE_PRODUCTION CLIENT_ACTION_NOT_RUNNABLE ACTION_INACTIVE APP_NOT_PUBLISHED EXECUTION_FAILED
    FREQUENCY_TOO_FREQUENT TRIGGER_NOT_ALLOWED`.split(/\s+/);
  expect(listed.filter((code) => !Object.hasOwn(ERROR_CODES.actionsV3, code))).toEqual([]);
});
