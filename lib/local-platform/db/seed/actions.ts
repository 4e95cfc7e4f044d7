/** Demo actions: the specification’s use cases, and some that fail or never end, for learning to debug. */
import type { PipelineStep, PublishedAction } from '../../../platform-api/index.ts';
import type { actions } from '../schema.ts';

type NewAction = typeof actions.$inferInsert;

const DAY = 86_400_000;

export function demoActions(now: Date): NewAction[] {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  // Mondays at 07:00 UTC: 1970-01-05 was one. A new database holds the day's data until the day ends, so the next one is after it.
  const monday = Math.floor((now.getTime() / DAY + 1 - 4 - 7 / 24) / 7) * 7 * DAY + 4 * DAY + 7 * 3_600_000;
  const age = (days: number) => ({
    createdAt: new Date(now.getTime() - days * DAY),
    updatedAt: new Date(now.getTime() - (days / 3) * DAY),
  });
  const manual: Pick<NewAction, 'environment' | 'triggers'> = { environment: 'any', triggers: [{ trigger: 'manual' }] };

  const all: NewAction[] = [
    {
      id: 1001,
      appId: 101,
      name: 'weekly-report',
      ...age(180),
      environment: 'server',
      triggers: [{ trigger: 'schedule' }, { trigger: 'manual' }],
      frequency: '0 7 * * 1',
      timezone: 'Etc/UTC',
      lastRunAt: new Date(monday),
      nextRunAt: new Date(monday + 7 * DAY),
      functions: [
        step('read-datasource', { dataSource: 'Visits', where: { status: 'done' } }),
        step('set-context', {
          assign: {
            visits: 'records.length',
            long: 'records.filter(visit => visit.data.minutes > 120).length',
            share: 'visits ? Math.round(100 * long / visits) : 0',
          },
        }),
        {
          type: 'if',
          conditions: [
            {
              condition: 'share > 50',
              functions: [
                step('send-notification', {
                  title: 'Many long visits',
                  message: '{{share}} % of the visits took over two hours.',
                }),
              ],
            },
          ],
          elseFunctions: [step('set-context', { assign: { remark: "'within the plan'" } })],
        },
        step('send-email', {
          to: 'planning@northwind.example',
          subject: 'Visits: weekly report',
          html: '<p>{{visits}} visits, {{long}} of them over two hours ({{share}} %).</p>',
        }),
        step('return-string', { message: '{{visits}} visits, {{long}} over two hours' }),
      ],
    },
    {
      id: 1002,
      appId: 101,
      name: 'check-out-at-midnight',
      ...age(150),
      environment: 'server',
      triggers: [{ trigger: 'schedule' }],
      frequency: '0 0 * * *',
      timezone: 'Etc/UTC',
      lastRunAt: new Date(today),
      nextRunAt: new Date(today + DAY),
      functions: [
        step('read-datasource', { dataSourceId: 501, where: { checkedOutAt: null } }),
        {
          type: 'loop',
          items: 'records',
          functions: [
            step('write-datasource', {
              dataSourceId: 503,
              entries: [
                { visitId: '{{currentItem.id}}', customer: '{{currentItem.data.customer}}', reason: 'midnight' },
              ],
            }),
          ],
        },
        step('return-string', { message: '{{records.length}} visits checked out' }),
      ],
    },
    {
      id: 1003,
      appId: 101,
      name: 'notify-admins',
      ...age(120),
      environment: 'any',
      triggers: [
        { trigger: 'manual' },
        { trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 503 } },
      ],
      functions: [
        step('read-datasource', { dataSource: 'People', limit: 40 }),
        step('set-context', { assign: { notified: '0' } }),
        {
          type: 'loop',
          items: 'records',
          functions: [
            {
              type: 'if',
              conditions: [
                {
                  condition: 'currentItem.data.Admin == true',
                  functions: [
                    step(
                      'send-email',
                      {
                        to: '{{currentItem.data.email}}',
                        subject: 'A visit was checked out',
                        html: '<p>Hello {{currentItem.data.name}}, please look at the check-outs.</p>',
                      },
                      [
                        step('if', { condition: "currentItem.data.city === 'Utrecht'" }, [
                          step('send-notification', {
                            title: 'Check-outs',
                            message: 'New check-outs for {{currentItem.data.name}}',
                          }),
                        ]),
                        step('set-context', { assign: { notified: 'notified + 1' } }),
                      ],
                    ),
                  ],
                },
              ],
            },
          ],
        },
        step('return-string', { message: '{{notified}} of {{records.length}} people notified' }),
      ],
    },
    {
      id: 1004,
      appId: 101,
      name: 'number-range',
      ...age(60),
      ...manual,
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
    },
    {
      id: 1005,
      appId: 101,
      name: 'throws-on-bad-address',
      ...age(45),
      ...manual,
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
    },
    {
      id: 1006,
      appId: 101,
      name: 'never-ends',
      ...age(30),
      ...manual,
      functions: [
        {
          type: 'loop',
          range: { from: 1, to: 1_000_000_000 },
          functions: [step('set-context', { assign: { ticks: 'currentItem' } }), step('wait', { ms: 250 })],
        },
        step('return-string', { message: 'Never reached' }),
      ],
    },
    {
      id: 1007,
      appId: 101,
      name: 'never-settles',
      ...age(30),
      ...manual,
      functions: [
        { functionPackage: 'com.example.function.never-settles' },
        step('return-string', { message: 'Never reached' }),
      ],
    },
    {
      id: 1008,
      appId: 101,
      name: 'one-of-each-step',
      ...age(20),
      ...manual,
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
    },
    {
      id: 1009,
      appId: 101,
      name: 'count-open-visits',
      ...age(15),
      ...manual,
      pageId: 2002,
      functions: [],
    },
    {
      id: 1101,
      appId: 102,
      name: 'is-email-registered',
      ...age(90),
      ...manual,
      functions: [
        step('read-datasource', { dataSource: 'Users', where: { email: '{{email}}' } }),
        {
          type: 'if',
          conditions: [
            {
              condition: 'records.length > 0 && records[0].data.email == email',
              functions: [step('return-string', { message: '{{email}} is registered' })],
            },
          ],
          elseFunctions: [step('return-string', { message: '{{email}} is not registered' })],
        },
      ],
    },
    {
      id: 1102,
      appId: 102,
      name: 'welcome-visitor',
      ...age(80),
      environment: 'server',
      triggers: [{ trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 511 } }],
      functions: [
        step('set-context', { assign: { entry: 'log?.dataSourceEntryId' } }),
        step('send-notification', {
          title: 'A visitor arrived',
          message: 'Entry {{entry}} was added to the visitors.',
        }),
      ],
    },
    {
      id: 1103,
      appId: 102,
      name: 'count-page-views',
      ...age(70),
      environment: 'client',
      triggers: [
        { trigger: 'analytics', where: { type: 'analytics.pageView', data: { _pageId: 2101 } } },
        {
          trigger: 'analytics',
          where: { type: 'analytics.event', data: { category: 'badge', action: 'print', _pageId: 2102 } },
        },
      ],
      functions: [step('return-string', { message: 'Counted' })],
    },
    {
      id: 1201,
      appId: 103,
      name: 'check-platform',
      ...age(10),
      ...manual,
      functions: [
        step('http-request', { url: '/v1/status' }),
        {
          type: 'if',
          conditions: [
            {
              condition: "response.status === 200 && response.body.status === 'ok'",
              functions: [step('return-string', { message: 'The platform is running' })],
            },
          ],
          elseFunctions: [step('fail', { message: 'The platform responded with {{response.status}}' })],
        },
      ],
    },
    {
      id: 1202,
      appId: 103,
      name: 'unfinished-import',
      active: false,
      ...age(5),
      ...manual,
      functions: [
        step('read-datasource', { dataSource: 'Employees' }),
        step('fail', { message: 'The import isn’t written yet' }),
      ],
    },
    {
      id: 1301,
      appId: 104,
      name: 'monthly-run',
      ...age(300),
      environment: 'server',
      triggers: [{ trigger: 'schedule' }],
      frequency: '0 6 1 * *',
      timezone: 'Etc/UTC',
      nextRunAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 6)),
      functions: [
        step('read-datasource', { dataSource: 'Salaries' }),
        step('return-string', { message: '{{records.length}} salaries' }),
      ],
    },
  ];
  return all.map((action) => published({ timezone: 'UTC', ...action }));
}

/** What the live apps use: most actions as they are, one as it was before its last change; the others were never published. */
const LIVE: Record<string, Partial<PublishedAction>> = {
  'weekly-report': {},
  'check-out-at-midnight': {},
  'number-range': { functions: [step('return-string', { message: 'Not written yet' })] },
  'count-open-visits': {},
  'is-email-registered': {},
  'welcome-visitor': {},
  'count-page-views': {},
  'monthly-run': {},
};

function published(action: NewAction): NewAction {
  const before = LIVE[action.name];
  if (!before) return action;
  const {
    active = true,
    frequency = null,
    timezone = 'UTC',
    environment = 'any',
    triggers,
    functions,
    pageId = null,
  } = action;
  const copy: PublishedAction = { active, frequency, timezone, environment, triggers, functions, pageId, ...before };
  const heard = copy.triggers.filter(({ trigger }) => trigger === 'log').map(({ where }) => where ?? {});
  return {
    ...action,
    published: { ...copy, name: action.name },
    publishedAt: action.updatedAt,
    listensTo: heard.length > 0 ? heard : null,
  };
}

function step(name: string, settings: Record<string, unknown>, functions?: PipelineStep[]): PipelineStep {
  return { functionPackage: `com.platform.function.${name}`, settings, ...(functions && { functions }) };
}
