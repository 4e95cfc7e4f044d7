/** Breaks each rule once: the code and message are the same in a page and over HTTP, and nothing is created or changed. */
import { expect } from 'vitest';
import type { ActionsApi } from '../../../lib/actions/actions.ts';
import { refusal, type Rule, step } from './rule.ts';

const REFERENCE =
  'The action must be a positive integer ID, or a name of at most 255 letters, digits, dashes, or underscores.';
const deep = (levels: number): unknown => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);

/** Properties beside a valid name, the path of the wrong one, and its message. */
const PROPERTIES: [string, object, string, string | RegExp][] = [
  ['no name', { name: undefined }, '/name', 'An action needs "name".'],
  ['an unknown environment', { environment: 'cloud' }, '/environment', 'environment must be server, client, or any.'],
  [
    'an unknown trigger',
    { triggers: [{ trigger: 'manual' }, { trigger: 'webhook' }] },
    '/triggers/1/trigger',
    'trigger must be one of log, schedule, manual, analytics.',
  ],
  ['triggers that aren’t an array', { triggers: { trigger: 'manual' } }, '/triggers', 'triggers must be an array.'],
  [
    'a trigger that is a string',
    { triggers: ['manual'] },
    '/triggers/0',
    'A trigger must be an object such as {"trigger": "manual"}.',
  ],
  [
    'a where filter that is a string',
    { triggers: [{ trigger: 'log', where: 'x' }] },
    '/triggers/0/where',
    /^where must be an object/,
  ],
  ['a where of 500 levels', { triggers: [{ trigger: 'log', where: deep(500) }] }, '/triggers/0/where', /20 levels/],
  [
    'an unknown analytics type',
    { environment: 'client', triggers: [{ trigger: 'analytics', where: { type: 'analytics.click' } }] },
    '/triggers/0/where',
    'where.type of an analytics trigger must be analytics.pageView or analytics.event.',
  ],
  [
    'a log trigger on the client',
    { environment: 'client', triggers: [{ trigger: 'log' }] },
    '/triggers/0/trigger',
    'A log trigger runs only on the server: environment must be server or any.',
  ],
  [
    'a schedule on the client',
    { environment: 'client', frequency: '* * * * *' },
    '/triggers/0/trigger',
    'A schedule trigger runs only on the server: environment must be server or any.',
  ],
  [
    'an analytics trigger on the server',
    { environment: 'server', triggers: [{ trigger: 'analytics' }] },
    '/triggers/0/trigger',
    'An analytics trigger runs only on the client: environment must be client or any.',
  ],
  [
    'a schedule without frequency',
    { triggers: [{ trigger: 'schedule' }] },
    '/frequency',
    'A schedule trigger needs a frequency, such as “0 7 * * MON”.',
  ],
  ['a frequency of four fields', { frequency: '* * * *' }, '/frequency', /five fields/],
  ['a frequency of six fields', { frequency: '0 * * * * *' }, '/frequency', /five fields/],
  ['an empty frequency', { frequency: '' }, '/frequency', /five fields/],
  ['31 February, which never comes', { frequency: '0 0 31 2 *' }, '/frequency', /never fire/],
  ['a minute of 60', { frequency: '60 * * * *' }, '/frequency', /"60" isn’t a valid minute/],
  ['an unknown timezone', { frequency: '* * * * *', timezone: 'Mars/Olympus' }, '/timezone', /Mars\/Olympus/],
  ['an offset as timezone', { timezone: '+02:00' }, '/timezone', /full name/],
  ['active as a string', { active: 'yes' }, '/active', 'active must be true or false.'],
  ['functions that aren’t an array', { functions: {} }, '/functions', 'functions must be an array of steps.'],
  [
    'an unknown package',
    { functions: [step('if', { condition: 'true' }, [{ functionPackage: 'com.example.function.unknown' }])] },
    '/functions/0/functions/0',
    /com\.example\.function\.unknown/,
  ],
  ['a step of an unknown type', { functions: [{ type: 'while' }] }, '/functions/0', /while/],
  [
    'a loop with both items and range',
    { functions: [{ type: 'loop', items: 'a', range: { from: 1, to: 2 }, functions: [] }] },
    '/functions/0',
    /items/,
  ],
  [
    'a condition with invalid syntax',
    { functions: [{ type: 'if', conditions: [{ condition: 'a ===', functions: [] }] }] },
    '/functions/0/conditions/0/condition',
    /./,
  ],
  ['an unknown screen', { pageId: 999 }, '/pageId', 'App 101 has no screen 999.'],
  ['the screen of another app', { pageId: 2101 }, '/pageId', 'App 101 has no screen 2101.'],
  ['a negative screen', { pageId: -1 }, '/pageId', 'pageId must be the ID of a screen (a positive integer) or null.'],
  ['an unknown property', { functons: [] }, '/functons', /don’t have this property/],
];

/** Calls with invalid arguments. */
const CALLS: [string, (actions: ActionsApi) => Promise<unknown>, { code: string; status: number; message?: string }][] =
  [
    [
      'create: null',
      (actions) => actions.create(null as never),
      { code: 'INVALID', status: 422, message: 'An action must be an object.' },
    ],
    [
      'create: an array',
      (actions) => actions.create([] as never),
      { code: 'INVALID', status: 422, message: 'An action must be an object.' },
    ],
    [
      'create: 10 MB of JSON',
      (actions) => actions.create({ name: 'big', functions: [{ functionPackage: 'x'.repeat(10 * 1024 * 1024) }] }),
      { code: 'TOO_LARGE', status: 413 },
    ],
    [
      'update: a revision that isn’t a number',
      (actions) => actions.update(1004, { revision: 'x' as never }),
      { code: 'INVALID', status: 422, message: 'revision must be the number' },
    ],
    [
      'update: an array',
      (actions) => actions.update(1004, [] as never),
      { code: 'INVALID', status: 422, message: 'An action must be an object.' },
    ],
    ...(
      [
        ['negative', -1],
        ['zero', 0],
        ['too large', 99_999_999_999],
        ['of another app', 1101],
        ['an unknown name', 'unknown'],
      ] as const
    ).flatMap(([what, id]) =>
      (['update', 'remove', 'run', 'runWithResult'] as const).map((way): (typeof CALLS)[number] => [
        `${way}: an ID that is ${what}`,
        (actions) => (actions[way] as (id: number | string, more: object) => Promise<unknown>)(id, {}),
        { code: 'NOT_FOUND', status: 404, message: `There is no action ${id} in app 101` },
      ]),
    ),
    ...(
      [
        ['a float', 1.5],
        ['a path', '../apps'],
        ['256 characters', 'x'.repeat(256)],
      ] as const
    ).flatMap(([what, id]) =>
      (['update', 'remove', 'run', 'runWithResult'] as const).map((way): (typeof CALLS)[number] => [
        `${way}: an ID that is ${what}`,
        (actions) => (actions[way] as (id: number | string, more: object) => Promise<unknown>)(id, {}),
        { code: 'INVALID', status: 422, message: REFERENCE },
      ]),
    ),
    ...(
      [
        ['a string', 'number-range'],
        ['a float', 1.5],
        ['negative', -7],
        ['null', null],
      ] as const
    ).map(([what, id]): (typeof CALLS)[number] => [
      `publish: an ID that is ${what}`,
      (actions) => actions.publish(id as number, true),
      { code: 'INVALID', status: 422, message: 'An action’s ID must be a positive integer.' },
    ]),
    ['publish: an action of another app', (actions) => actions.publish(1101, true), { code: 'NOT_FOUND', status: 404 }],
    ...(['true', 1, null] as const).map((to): (typeof CALLS)[number] => [
      `publish: to ${JSON.stringify(to)}`,
      (actions) => actions.publish(1004, to as never),
      { code: 'INVALID', status: 422, message: 'publish must be true or false.' },
    ]),
    ...(
      [
        ['an array', []],
        ['a string', 'x'],
        ['null', null],
      ] as const
    ).flatMap(([what, payload]) =>
      (['run', 'runWithResult'] as const).map((way): (typeof CALLS)[number] => [
        `${way}: a payload that is ${what}`,
        (actions) => actions[way]('number-range', payload as never),
        { code: 'INVALID', status: 422, message: 'payload must be an object.' },
      ]),
    ),
    ...(
      [
        ['a fraction as limit', { limit: 1.5 }],
        ['a string as limit', { limit: 'x' }],
        ['a negative limit', { limit: -1 }],
        ['a limit of 1,001', { limit: 1_001 }],
        ['a string as id', { id: 'x' }],
        ['a negative id', { id: -3 }],
        ['an array as where', { where: [] }],
        ['an unknown field of where', { where: { typ: 'x' } }],
        ['an unknown option', { max: 3 }],
      ] as const
    ).map(([what, options]): (typeof CALLS)[number] => [
      `getLogs: ${what}`,
      (actions) => actions.getLogs(options as never),
      { code: 'INVALID', status: 422 },
    ]),
  ];

export const BAD_INPUT: Rule[] = [
  ...PROPERTIES.map(([what, properties, path, message]): Rule => ({
    title: `create refuses ${what} with its path and a message, and creates nothing`,
    async check({ api }) {
      const refused = await refusal(api.actions.create({ name: 'never-made', ...properties } as { name: string }));
      const [first] = refused.details as { path: string; message: string }[];
      expect(refused).toMatchObject({
        code: 'INVALID',
        status: 422,
        message: `The request is invalid: ${first!.message}`,
      });
      expect(first).toEqual({ path, message: typeof message === 'string' ? message : expect.stringMatching(message) });
      expect((await api.actions.get()).map(({ name }) => name)).not.toContain('never-made');
    },
  })),
  ...CALLS.map(([what, call, { message = '', ...expected }]): Rule => ({
    title: `${what} is refused with ${expected.status} ${expected.code}, and changes nothing`,
    async check({ api }) {
      const before = await api.actions.get();
      expect(await refusal(call(api.actions))).toMatchObject({
        ...expected,
        message: expect.stringContaining(message),
      });
      expect(await api.actions.get()).toEqual(before);
    },
  })),
];
