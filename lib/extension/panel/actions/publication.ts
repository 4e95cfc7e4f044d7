/** Owns what is known of an action's publication: its working copy against the one that live apps use. */
import type { Action, PublishedAction } from '../../../platform-api/action.ts';
import { differences, type Difference } from './edit/differences.ts';
import { same } from './edit/pointer.ts';

/** `unknown`: a platform that does not tell the published copy. */
export type Publication = 'published' | 'changed' | 'unpublished' | 'unknown';

export const PUBLICATION_LABELS: Record<Publication, string> = {
  published: 'published',
  changed: 'changed since',
  unpublished: 'unpublished',
  unknown: '',
};

/** What publishing fixes. */
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

const known = new WeakMap<Action, Publication>();

/** Of 100,000 actions, those in sight are compared, once each. */
export function publicationOf(action: Action): Publication {
  let publication = known.get(action);
  if (publication === undefined) known.set(action, (publication = compare(action)));
  return publication;
}

function compare(action: Action): Publication {
  const { published } = action;
  if (published === undefined) return 'unknown';
  if (published === null) return 'unpublished';
  return same(fixed(published, action), fixed(action, action)) ? 'published' : 'changed';
}

/** From the published copy to the working copy; none when either is not there. */
export function publicationChanges(action: Action): Difference[] {
  const { published } = action;
  return published ? differences(fixed(published, action), fixed(action, action)) : [];
}

/** No zone is UTC, also where one copy says so and the other does not; a name that the platform does not tell is the action's own. */
const fixed = (copy: PublishedAction, { name }: Action): Record<string, unknown> => ({
  ...Object.fromEntries(FIELDS.map((field) => [field, copy[field]])),
  timezone: copy.timezone ?? 'UTC',
  name: copy.name ?? name,
});

/** What pressing *Publish* or *Unpublish* would change for live apps, in a sentence. */
export function publicationSentence(action: Action): string {
  const isActive = action.active ? '' : ' It is inactive: it would be published as such, and not run.';
  switch (publicationOf(action)) {
    case 'unpublished':
      return `Live apps do not know it. Publishing makes it usable there and starts its schedule and log triggers.${isActive}`;
    case 'changed':
      return `Live apps use what was published, not what stands here. Publishing replaces it by the working copy; unpublishing stops it there at once.${isActive}`;
    case 'published':
      return 'Live apps use it as it stands here. Unpublishing stops it there at once: runs, schedule and log triggers.';
    case 'unknown':
      return 'This platform does not tell what is published. Publishing makes the working copy what live apps use; unpublishing stops it there.';
  }
}
