/** The App resource, its releases, and the publish operation (specification, "App (REST)"). */
import * as v from 'valibot';
import { PlainObject } from './plain-object.ts';

const Id = v.pipe(v.number(), v.integer());

export const AppUser = v.looseObject({ appRoleId: Id, appId: Id, userId: Id });
export type AppUser = v.InferOutput<typeof AppUser>;

/** An app as listed by `GET /v1/apps`. Timestamps are ISO 8601 in UTC. */
export const App = v.looseObject({
  id: Id,
  name: v.string(),
  icon: v.nullish(v.string(), ''),
  version: v.nullish(Id, null),
  settings: v.nullish(PlainObject(), null),
  releases: v.nullish(v.array(v.unknown()), null),
  dependencies: v.nullish(v.array(v.unknown()), null),
  slug: v.nullish(v.string(), null),
  createdAt: v.string(),
  updatedAt: v.string(),
  deletedAt: v.nullish(v.string(), null),
  organizationId: Id,
  startingPageId: v.nullish(Id, null),
  productionAppId: v.nullish(Id, null),
  appUser: v.nullish(AppUser, null),
});
export type App = v.InferOutput<typeof App>;

export const ReleaseType = v.picklist(['silent', 'visible', 'forced']);
export type ReleaseType = v.InferOutput<typeof ReleaseType>;

/** The body of a publish request: `type` and a non-empty `changelog`. */
export const Release = v.object({
  type: v.picklist(ReleaseType.options, 'type must be silent, visible, or forced.'),
  changelog: v.pipe(v.string('changelog must be a string.'), v.trim(), v.nonEmpty('changelog must not be empty.')),
});
export type Release = v.InferOutput<typeof Release>;

/** The response to a publish request. */
export const PublishResult = v.looseObject({ app: v.looseObject({ version: Id, id: Id, updatedAt: v.string() }) });
export type PublishResult = v.InferOutput<typeof PublishResult>;
