/** An action’s earlier versions, which the local platform stores. Not in the specification. */
import * as v from 'valibot';
import { PublishedAction } from '../action.ts';

const Id = v.pipe(v.number(), v.integer());

/** Who made a change: the owner of a token, a page that they opened, or a run. */
const Author = v.looseObject({ kind: v.picklist(['user', 'page', 'run']), email: v.nullish(v.string(), null) });

/** A version of an action’s working copy. `change`, `changed`, and `by` are null if the platform doesn’t know them. */
export const ActionRevision = v.looseObject({
  revision: Id,
  createdAt: v.string(),
  change: v.nullish(v.picklist(['create', 'update', 'restore']), null),
  /** The fields that differ from the version before. */
  changed: v.nullish(v.array(v.string()), null),
  /** The revision that a restore copied. */
  restored: v.nullish(Id, null),
  by: v.nullish(Author, null),
});
export type ActionRevision = v.InferOutput<typeof ActionRevision>;
/** Newest first. The first one is the current working copy. */
export const RevisionList = v.looseObject({ revisions: v.array(ActionRevision) });

/** A version with its content. */
export const FullRevision = v.looseObject({
  ...ActionRevision.entries,
  action: v.looseObject({ ...PublishedAction.entries, name: v.string() }),
});
export type FullRevision = v.InferOutput<typeof FullRevision>;
export const RevisionResponse = v.looseObject({ revision: FullRevision });
