/** Example records and events for the trigger lab, based on an app's data sources and actions. */
import type { Action } from '../../../../platform-api/action.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import { EXAMPLE_EVENT } from '../../run/payload/templates.ts';
import { newEntryRecord } from '../data-sources.ts';
import type { Fields } from '../edit/draft-value.ts';

export interface Example {
  label: string;
  value: Fields;
}

export const FIRST_EVENT: Fields = { type: 'analytics.event', data: EXAMPLE_EVENT };

/** A new entry in each data source, a release, and a match for each log trigger. */
export function logExamples(dataSources: readonly DataSource[], actions: readonly Action[]): Example[] {
  return [
    ...dataSources.map((source) => ({ label: `New entry in ${source.name}`, value: newEntryRecord([source]) })),
    {
      label: 'App published',
      value: {
        type: 'app.publish',
        data: { version: 2, type: 'silent', changelog: 'What’s new in this release', userId: 1 },
      },
    },
    ...triggerExamples(actions, 'log', newEntryRecord(dataSources)),
  ];
}

/** A page view, an event, and a match for each analytics trigger. */
export function eventExamples(actions: readonly Action[]): Example[] {
  return [
    { label: 'Page view', value: { type: 'analytics.pageView', data: {} } },
    { label: 'Event', value: FIRST_EVENT },
    ...triggerExamples(actions, 'analytics', FIRST_EVENT),
  ];
}

function triggerExamples(actions: readonly Action[], kind: 'log' | 'analytics', first: Fields): Example[] {
  return actions.flatMap(({ name, triggers }) =>
    triggers
      .filter(({ trigger }) => trigger === kind)
      .map(({ where = {} }, index) => ({
        label: `Matches ${name}${index > 0 ? ` (${index + 1})` : ''}`,
        value: { ...(where['type'] === undefined ? first : {}), ...where },
      })),
  );
}
