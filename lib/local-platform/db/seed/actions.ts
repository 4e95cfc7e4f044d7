/** Demo actions: the specification’s use cases, and some that fail or never end, for learning to debug. */
import type { PublishedAction } from '../../../platform-api/index.ts';
import { DEBUGGING_ACTIONS } from './debugging-actions.ts';
import { type NewAction, step } from './demo-action.ts';
import { FIELD_SERVICE_ACTIONS } from './field-service-actions.ts';
import { OTHER_ACTIONS } from './other-actions.ts';

const DAY = 86_400_000;

export function demoActions(now: Date): NewAction[] {
  const times = runTimes(now);
  return [...FIELD_SERVICE_ACTIONS, ...DEBUGGING_ACTIONS, ...OTHER_ACTIONS].map(({ age, ...action }) =>
    published({
      timezone: 'UTC',
      ...action,
      ...times[action.name],
      createdAt: new Date(now.getTime() - age * DAY),
      updatedAt: new Date(now.getTime() - (age / 3) * DAY),
    }),
  );
}

/** When scheduled actions last ran and will run next, by name. */
function runTimes(now: Date): Record<string, Pick<NewAction, 'lastRunAt' | 'nextRunAt'>> {
  const today = Math.floor(now.getTime() / DAY) * DAY;
  // The last Monday at 07:00 UTC (1970-01-05 was a Monday). The demo data is valid for a whole day, so the next run is
  // later.
  const monday = Math.floor((now.getTime() / DAY + 1 - 4 - 7 / 24) / 7) * 7 * DAY + 4 * DAY + 7 * 3_600_000;
  return {
    'weekly-report': { lastRunAt: new Date(monday), nextRunAt: new Date(monday + 7 * DAY) },
    'check-out-at-midnight': { lastRunAt: new Date(today), nextRunAt: new Date(today + DAY) },
    'monthly-run': { nextRunAt: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 6)) },
  };
}

/** How published copies differ from the working copies. Actions without an entry were never published. */
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
  const changes = LIVE[action.name];
  if (!changes) return action;
  const {
    active = true,
    frequency = null,
    timezone = 'UTC',
    environment = 'any',
    triggers,
    functions,
    pageId = null,
  } = action;
  const copy: PublishedAction = { active, frequency, timezone, environment, triggers, functions, pageId, ...changes };
  const listensTo = copy.triggers.filter(({ trigger }) => trigger === 'log').map(({ where }) => where ?? {});
  return {
    ...action,
    published: { ...copy, name: action.name },
    publishedAt: action.updatedAt,
    listensTo: listensTo.length > 0 ? listensTo : null,
  };
}
