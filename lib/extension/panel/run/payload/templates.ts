/** Payload templates, one per trigger in the specification. */
import type { Action } from '../../../../platform-api/action.ts';

export interface PayloadTemplate {
  id: 'manual' | 'log' | 'pageView' | 'event' | 'schedule';
  label: string;
  text: string;
  /** Whether the action has this trigger. */
  fits: boolean;
}

/** Known properties of the action. */
export interface TemplateSubject {
  action: Pick<Action, 'triggers' | 'pageId'> | null;
  appId: number | null;
  organizationId: number | null;
}

const EXAMPLE_LOG = {
  dataSourceId: 1,
  dataSourceEntryId: 1,
  type: 'dataSource.entry.create',
  data: { columns: ['Email'] },
};
/** The part of an analytics event's data that the app sets. */
export const EXAMPLE_EVENT = { category: 'button', action: 'press' };

/**
 * Templates shaped as specified, filled with values that match the action's triggers. Templates for those triggers come
 * first.
 */
export function payloadTemplates({ action, appId, organizationId }: TemplateSubject, now: Date): PayloadTemplate[] {
  const where = (trigger: string, type?: string): Record<string, unknown> =>
    action?.triggers.find((one) => one.trigger === trigger && (type === undefined || one.where?.['type'] === type))
      ?.where ?? {};
  const has = (trigger: string, type?: string): boolean =>
    action?.triggers.some(
      (one) => one.trigger === trigger && (type === undefined || one.where === undefined || one.where['type'] === type),
    ) ?? false;
  const log = {
    id: 1,
    appId: appId ?? 1,
    organizationId: organizationId ?? 1,
    ...EXAMPLE_LOG,
    appNotificationId: null,
    sessionId: 1,
    createdAt: now.toISOString(),
    ...where('log'),
  };
  const page = action?.pageId ?? 1;
  const analytics = (type: string, data: object): object => ({
    trigger: 'analytics',
    type,
    data,
    ...where('analytics', type),
  });
  const template = (id: PayloadTemplate['id'], label: string, value: object, fits: boolean): PayloadTemplate => ({
    id,
    label,
    text: JSON.stringify(value, null, 2),
    fits,
  });
  return [
    template('manual', 'Manual', {}, has('manual')),
    template('log', 'Log record', { trigger: 'log', log }, has('log')),
    template(
      'pageView',
      'Analytics: page view',
      analytics('analytics.pageView', { _pageId: page }),
      has('analytics', 'analytics.pageView'),
    ),
    template(
      'event',
      'Analytics: event',
      analytics('analytics.event', { ...EXAMPLE_EVENT, _pageId: page }),
      has('analytics', 'analytics.event'),
    ),
    template('schedule', 'Schedule', { trigger: 'schedule' }, has('schedule')),
  ].sort((a, b) => Number(b.fits) - Number(a.fits));
}
