/** Demo actions of the app Field Service: a report, a nightly job, and notifications. */
import { type DemoAction, step } from './demo-action.ts';

const weeklyReport: DemoAction = {
  id: 1001,
  appId: 101,
  name: 'weekly-report',
  age: 180,
  environment: 'server',
  triggers: [{ trigger: 'schedule' }, { trigger: 'manual' }],
  frequency: '0 7 * * 1',
  timezone: 'Etc/UTC',
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
              message: '{{share}}% of the visits took over two hours.',
            }),
          ],
        },
      ],
      elseFunctions: [step('set-context', { assign: { remark: "'on schedule'" } })],
    },
    step('send-email', {
      to: 'planning@northwind.example',
      subject: 'Visits: weekly report',
      html: '<p>{{visits}} visits, {{long}} of them over two hours ({{share}}%).</p>',
    }),
    step('return-string', { message: '{{visits}} visits, {{long}} over two hours' }),
  ],
};

const checkOutAtMidnight: DemoAction = {
  id: 1002,
  appId: 101,
  name: 'check-out-at-midnight',
  age: 150,
  environment: 'server',
  triggers: [{ trigger: 'schedule' }],
  frequency: '0 0 * * *',
  timezone: 'Etc/UTC',
  functions: [
    step('read-datasource', { dataSourceId: 501, where: { checkedOutAt: null } }),
    {
      type: 'loop',
      items: 'records',
      functions: [
        step('write-datasource', {
          dataSourceId: 503,
          entries: [{ visitId: '{{currentItem.id}}', customer: '{{currentItem.data.customer}}', reason: 'midnight' }],
        }),
      ],
    },
    step('return-string', { message: '{{records.length}} visits checked out' }),
  ],
};

const notifyAdmins: DemoAction = {
  id: 1003,
  appId: 101,
  name: 'notify-admins',
  age: 120,
  environment: 'any',
  triggers: [{ trigger: 'manual' }, { trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 503 } }],
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
                    html: '<p>Hello {{currentItem.data.name}}, please review the check-outs.</p>',
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
};

export const FIELD_SERVICE_ACTIONS: DemoAction[] = [weeklyReport, checkOutAtMidnight, notifyAdmins];
