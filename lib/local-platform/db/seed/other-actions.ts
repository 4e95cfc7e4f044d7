/** Demo actions of the other apps. */
import { type DemoAction, MANUAL, step } from './demo-action.ts';

const isEmailRegistered: DemoAction = {
  id: 1101,
  appId: 102,
  name: 'is-email-registered',
  age: 90,
  ...MANUAL,
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
};

const welcomeVisitor: DemoAction = {
  id: 1102,
  appId: 102,
  name: 'welcome-visitor',
  age: 80,
  environment: 'server',
  triggers: [{ trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 511 } }],
  functions: [
    step('set-context', { assign: { entry: 'log?.dataSourceEntryId' } }),
    step('send-notification', {
      title: 'A visitor arrived',
      message: 'Visitor entry {{entry}} was added.',
    }),
  ],
};

const countPageViews: DemoAction = {
  id: 1103,
  appId: 102,
  name: 'count-page-views',
  age: 70,
  environment: 'client',
  triggers: [
    { trigger: 'analytics', where: { type: 'analytics.pageView', data: { _pageId: 2101 } } },
    {
      trigger: 'analytics',
      where: { type: 'analytics.event', data: { category: 'badge', action: 'print', _pageId: 2102 } },
    },
  ],
  functions: [step('return-string', { message: 'Counted' })],
};

const checkPlatform: DemoAction = {
  id: 1201,
  appId: 103,
  name: 'check-platform',
  age: 10,
  ...MANUAL,
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
};

const unfinishedImport: DemoAction = {
  id: 1202,
  appId: 103,
  name: 'unfinished-import',
  active: false,
  age: 5,
  ...MANUAL,
  functions: [
    step('read-datasource', { dataSource: 'Employees' }),
    step('fail', { message: 'The import isn’t written yet' }),
  ],
};

const monthlyRun: DemoAction = {
  id: 1301,
  appId: 104,
  name: 'monthly-run',
  age: 300,
  environment: 'server',
  triggers: [{ trigger: 'schedule' }],
  frequency: '0 6 1 * *',
  timezone: 'Etc/UTC',
  functions: [
    step('read-datasource', { dataSource: 'Salaries' }),
    step('return-string', { message: '{{records.length}} salaries' }),
  ],
};

export const OTHER_ACTIONS: DemoAction[] = [
  isEmailRegistered,
  welcomeVisitor,
  countPageViews,
  checkPlatform,
  unfinishedImport,
  monthlyRun,
];
