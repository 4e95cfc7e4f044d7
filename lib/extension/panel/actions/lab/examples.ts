/** Owns what to begin with in the trigger lab: the records and events that an app's own data sources and actions are about. */
import type { Action } from '../../../../platform-api/action.ts';
import type { DataSource } from '../../../../platform-api/data-source.ts';
import { EXAMPLE_EVENT } from '../../run/payload/templates.ts';
import { newEntryIn } from '../data-sources.ts';
import type { Fields } from '../edit/pointer.ts';

export interface Example {
  label: string;
  value: Fields;
}

export const FIRST_EVENT: Fields = { type: 'analytics.event', data: EXAMPLE_EVENT };

/** Records: a new entry of each data source, a publish, and what each action's log triggers wait for. */
export function logExamples(dataSources: readonly DataSource[], actions: readonly Action[]): Example[] {
  return [
    ...dataSources.map((source) => ({ label: `New entry in ${source.name}`, value: newEntryIn([source]) })),
    {
      label: 'App published',
      value: {
        type: 'app.publish',
        data: { version: 2, type: 'silent', changelog: 'What the update changes', userId: 1 },
      },
    },
    ...waitedFor(actions, 'log', newEntryIn(dataSources)),
  ];
}

/** Events: a page view, an event, and what each action's analytics triggers wait for. */
export function eventExamples(actions: readonly Action[]): Example[] {
  return [
    { label: 'Page view', value: { type: 'analytics.pageView', data: {} } },
    { label: 'Event', value: FIRST_EVENT },
    ...waitedFor(actions, 'analytics', FIRST_EVENT),
  ];
}

function waitedFor(actions: readonly Action[], kind: 'log' | 'analytics', first: Fields): Example[] {
  return actions.flatMap(({ name, triggers }) =>
    triggers
      .filter(({ trigger }) => trigger === kind)
      .map(({ where = {} }, index) => ({
        label: `What ${name} waits for${index > 0 ? ` (${index + 1})` : ''}`,
        value: { ...(where['type'] === undefined ? first : {}), ...where },
      })),
  );
}
