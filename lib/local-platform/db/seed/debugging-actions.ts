/** Demo actions for learning to debug. Some of them fail or never end. */
import { type DemoAction, MANUAL, step } from './demo-action.ts';

const numberRange: DemoAction = {
  id: 1004,
  appId: 101,
  name: 'number-range',
  age: 60,
  ...MANUAL,
  functions: [
    step('set-context', { assign: { sum: '0', even: '[]' } }),
    {
      type: 'loop',
      range: { from: 1, to: 20 },
      functions: [
        step('set-context', { assign: { sum: 'sum + currentItem' } }),
        {
          type: 'if',
          conditions: [
            {
              condition: 'currentItem % 2 === 0',
              functions: [step('set-context', { assign: { even: '[...even, currentItem]' } })],
            },
          ],
        },
      ],
    },
    step('return-string', { message: 'Sum: {{sum}}, even numbers: {{even.join()}}' }),
  ],
};

const throwsOnBadAddress: DemoAction = {
  id: 1005,
  appId: 101,
  name: 'throws-on-bad-address',
  age: 45,
  ...MANUAL,
  functions: [
    step('read-datasource', { dataSource: 'People' }),
    {
      type: 'loop',
      items: 'records',
      functions: [
        {
          type: 'if',
          conditions: [
            {
              condition: "currentItem.data.role === 'manager'",
              functions: [
                {
                  functionPackage: 'com.example.function.check-address',
                  settings: { address: '{{currentItem.data.email}}' },
                },
              ],
            },
          ],
        },
      ],
    },
    step('return-string', { message: 'All email addresses are valid' }),
  ],
};

const neverEnds: DemoAction = {
  id: 1006,
  appId: 101,
  name: 'never-ends',
  age: 30,
  ...MANUAL,
  functions: [
    {
      type: 'loop',
      range: { from: 1, to: 1_000_000_000 },
      functions: [step('set-context', { assign: { ticks: 'currentItem' } }), step('wait', { ms: 250 })],
    },
    step('return-string', { message: 'Never reached' }),
  ],
};

const neverSettles: DemoAction = {
  id: 1007,
  appId: 101,
  name: 'never-settles',
  age: 30,
  ...MANUAL,
  functions: [
    { functionPackage: 'com.example.function.never-settles' },
    step('return-string', { message: 'Never reached' }),
  ],
};

const oneOfEachStep: DemoAction = {
  id: 1008,
  appId: 101,
  name: 'one-of-each-step',
  age: 20,
  ...MANUAL,
  functions: [
    {
      type: 'function',
      function: 'com.platform.function.set-context',
      settings: { assign: { items: "['a', 'b']", seen: '[]' } },
    },
    step('if', { condition: 'items.length > 1' }, [step('set-context', { assign: { nested: 'true' } })]),
    {
      type: 'loop',
      items: 'items',
      functions: [
        {
          type: 'loop',
          range: { from: 1, to: 2 },
          functions: [step('set-context', { assign: { seen: '[...seen, currentItem]' } }), step('wait', { ms: 5 })],
        },
      ],
    },
    {
      type: 'if',
      conditions: [
        { condition: 'seen.length === 0', functions: [step('fail', { message: 'The loop didn’t run' })] },
        { condition: 'nested === true', functions: [step('set-context', { assign: { branch: "'second'" } })] },
      ],
      elseFunctions: [step('set-context', { assign: { branch: "'else'" } })],
    },
    step('return-string', { message: '{{branch}}: {{seen.join()}}' }),
  ],
};

const countOpenVisits: DemoAction = {
  id: 1009,
  appId: 101,
  name: 'count-open-visits',
  age: 15,
  ...MANUAL,
  pageId: 2002,
  functions: [],
};

export const DEBUGGING_ACTIONS: DemoAction[] = [
  numberRange,
  throwsOnBadAddress,
  neverEnds,
  neverSettles,
  oneOfEachStep,
  countOpenVisits,
];
