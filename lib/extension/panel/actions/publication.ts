/** Compares an action's working copy with its published copy. */
import type { Action, PublishedAction } from '../../../platform-api/action.ts';
import { differences, type Difference } from './edit/differences.ts';
import { same } from './edit/draft-value.ts';

/** `unknown`: the platform doesn't report the published copy. */
export type Publication = 'published' | 'changed' | 'unpublished' | 'unknown';

export const PUBLICATION_LABELS: Record<Publication, string> = {
  published: 'published',
  changed: 'changed',
  unpublished: 'unpublished',
  unknown: '',
};

/** The fields of the published copy. */
const FIELDS = [
  'name',
  'active',
  'environment',
  'triggers',
  'frequency',
  'timezone',
  'functions',
  'pageId',
] as const satisfies (keyof PublishedAction)[];

const cache = new WeakMap<Action, Publication>();

/** Cached, and called only for visible rows, so that 100,000 actions aren't compared repeatedly. */
export function publicationOf(action: Action): Publication {
  let publication = cache.get(action);
  if (publication === undefined) cache.set(action, (publication = compare(action)));
  return publication;
}

function compare(action: Action): Publication {
  const { published } = action;
  if (published === undefined) return 'unknown';
  if (published === null) return 'unpublished';
  return same(publishedFields(published, action), publishedFields(action, action)) ? 'published' : 'changed';
}

/** What publishing the working copy would change; empty if the published copy is missing. */
export function publicationChanges(action: Action): Difference[] {
  const { published } = action;
  return published ? differences(publishedFields(published, action), publishedFields(action, action)) : [];
}

/**
 * A missing time zone means UTC in either copy. Platforms that don't report the published name use the action's name.
 */
const publishedFields = (copy: PublishedAction, { name }: Action): Record<string, unknown> => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, copy[field]])),
  timezone: copy.timezone ?? 'UTC',
  name: copy.name ?? name,
});

/** Whether the action was deactivated, but its published copy runs until the next publish. */
export function isStillLive({ active, published }: Action): boolean {
  return !active && published?.active === true;
}

/** Says what *Publish* and *Unpublish* would change for live apps. */
export function publicationSummary(action: Action): string {
  if (isStillLive(action))
    return (
      'This action is inactive, but its published copy is still live: its runs, schedule, and log triggers continue. ' +
      'Publish to stop them.'
    );
  const inactive = ' This action is inactive, so it won’t run there.';
  switch (publicationOf(action)) {
    case 'unpublished':
      return (
        'Live apps can’t use this action yet. Publish it to start its schedule and log triggers.' +
        (action.active ? '' : inactive)
      );
    case 'changed':
      return (
        'Live apps use the published copy, which differs from the working copy. Publish to replace it.' +
        (action.published?.active ? '' : ' The published copy is inactive, so it doesn’t run there.')
      );
    case 'published':
      return (
        'Live apps use the published copy, which matches the working copy.' +
        (action.active ? ' Unpublishing immediately stops the action’s runs, schedule, and log triggers.' : inactive)
      );
    case 'unknown':
      return 'This platform doesn’t report the published copy. Publish to make live apps use the working copy.';
  }
}
