/** Rules for every message: its schema, its size limit, and which pages can send it. */
import * as v from 'valibot';
import {
  ACTION_NAME_LIMIT,
  APP_PAGES,
  ActionChange,
  ActionEnvironment,
  LogQuery,
  Mocks,
  NewAction,
  NewLog,
  PlainObject,
  Release,
  Trigger,
} from '../../platform-api/index.ts';
import type { MessageName, Surface, Takes } from './protocol.ts';
import { BaseUrl } from '../../platform-api/base-url.ts';
import { PAYLOAD_LIMIT } from '../../platform-api/limits.ts';
import { type EnvironmentDraft, EnvironmentInput } from './model/environment.ts';
import { IdleMinutes, NewPassphrase, Passphrase } from './model/lock.ts';
import { KnownRelease } from './model/publishing.ts';

export interface Rule<T> {
  takes: v.GenericSchema<unknown, T>;
  from: readonly Surface[];
  /** Largest message, in characters of JSON; 16,384 by default. */
  size?: number;
}

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const Port = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const EnvironmentId = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
const Nothing = v.optional(v.undefined());
const OfApp = v.strictObject({ environmentId: EnvironmentId, appId: Id });
const OfAction = v.strictObject({ ...OfApp.entries, actionId: Id });
const Run = v.strictObject({
  ...OfAction.entries,
  payload: PlainObject('payload must be an object.'),
  mocks: v.optional(Mocks),
  record: v.optional(v.boolean()),
});
/** The platform checks the rest. */
const firingV3 = {
  active: v.boolean(),
  triggers: v.array(Trigger),
  frequency: v.nullable(v.string()),
  timezone: v.nullable(v.string()),
};
const NewDraftV3 = v.strictObject({
  ...firingV3,
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(ACTION_NAME_LIMIT)),
  code: v.string(),
  description: v.nullable(v.string()),
  active: v.literal(false),
  environment: ActionEnvironment,
  dependencies: v.array(v.string()),
});
const OfPublish = v.strictObject({ id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) });
/** The platform’s limit for request bodies. */
const BODY = 1024 * 1024;
/** For a 1 MB file, with room to escape the quotes when JSON is embedded in JSON. */
const FILE = 2.5 * BODY;
/** As much as can be sent: recordings are masked in pieces. */
const TEXTS = 4 * BODY;
const DebugPage = v.strictObject({ environmentId: EnvironmentId, tabId: Id, appId: Id, taskId: Id });
/** Not a union, because a union’s validation errors don’t say what’s wrong with the draft. */
const Test = v.lazy((takes): v.GenericSchema<unknown, { id: string } | { draft: EnvironmentDraft }> =>
  typeof takes === 'object' && takes !== null && 'draft' in takes
    ? v.strictObject({ draft: EnvironmentInput })
    : v.strictObject({ id: EnvironmentId }),
);
const OfPage = v.strictObject({ ...OfApp.entries, tabId: Id, page: v.picklist(APP_PAGES), screen: v.optional(Id) });
const everywhere: readonly Surface[] = ['options', 'panel', 'popup', 'app'];

/** One rule per message. Messages without a rule are refused. */
export const RULES = {
  'environments.list': { takes: Nothing, from: everywhere },
  'environments.save': { takes: EnvironmentInput, from: ['options'] },
  'environments.remove': { takes: v.strictObject({ id: EnvironmentId }), from: ['options'] },
  'access.release': { takes: v.strictObject({ baseUrl: BaseUrl }), from: ['options'] },
  'environments.test': { takes: Test, from: ['options'] },
  'localPlatform.find': { takes: v.strictObject({ port: Port }), from: ['options'] },
  'apps.list': { takes: v.strictObject({ environmentId: EnvironmentId }), from: everywhere },
  'sessions.list': {
    takes: v.strictObject({ ...OfApp.entries, limit: v.pipe(Id, v.minValue(1)), offset: Id }),
    from: ['panel', 'app'],
  },
  'functions.list': { takes: v.strictObject({ environmentId: EnvironmentId }), from: ['panel'] },
  'dataSources.list': { takes: OfApp, from: ['panel'] },
  'actions.list': {
    takes: v.strictObject({ ...OfApp.entries, limit: v.optional(Id), offset: v.optional(Id) }),
    from: ['panel'],
  },
  'actions.create': { takes: v.strictObject({ ...OfApp.entries, action: NewAction }), from: ['panel'], size: BODY },
  'actions.update': {
    takes: v.strictObject({ ...OfAction.entries, change: ActionChange }),
    from: ['panel'],
    size: BODY,
  },
  'actions.remove': { takes: OfAction, from: ['panel'] },
  'actions.publish': {
    takes: v.strictObject({ ...OfAction.entries, publish: v.boolean(), revision: v.optional(Id) }),
    from: ['panel'],
  },
  'actions.revisions': { takes: OfAction, from: ['panel'] },
  'actions.revision': { takes: v.strictObject({ ...OfAction.entries, revision: Id }), from: ['panel'] },
  'actions.restore': {
    takes: v.strictObject({ ...OfAction.entries, revision: Id, expected: v.optional(Id) }),
    from: ['panel'],
  },
  'actions.run': { takes: Run, from: ['panel'], size: BODY },
  'actions.runWithResult': { takes: Run, from: ['panel'], size: BODY },
  'actionsV3.list': {
    takes: v.strictObject({ ...OfApp.entries, limit: v.pipe(Id, v.minValue(1)), offset: Id }),
    from: ['panel'],
  },
  'actionsV3.get': { takes: OfAction, from: ['panel'] },
  'actionsV3.create': { takes: v.strictObject({ ...OfApp.entries, action: NewDraftV3 }), from: ['panel'], size: BODY },
  'actionsV3.update': {
    takes: v.strictObject({ ...OfAction.entries, change: v.strictObject(firingV3), revision: v.optional(Id) }),
    from: ['panel'],
    size: BODY,
  },
  'actionsV3.publish': {
    takes: v.strictObject({ ...OfAction.entries, revision: v.optional(Id) }),
    from: ['panel'],
  },
  'actionsV3.unpublish': { takes: OfAction, from: ['panel'] },
  'actionsV3.remove': { takes: OfAction, from: ['panel'] },
  'actionsV3.run': {
    takes: v.strictObject({ ...OfAction.entries, payload: PlainObject('payload must be an object.') }),
    from: ['panel'],
    size: BODY,
  },
  'logs.list': { takes: v.strictObject({ ...OfApp.entries, query: LogQuery }), from: ['panel'] },
  'logs.create': { takes: v.strictObject({ ...OfApp.entries, log: NewLog }), from: ['panel'], size: BODY },
  'logs.recording': { takes: v.strictObject({ ...OfApp.entries, logId: Id }), from: ['panel'] },
  'secrets.mask': { takes: v.strictObject({ texts: v.array(v.string()) }), from: ['panel'], size: TEXTS },
  'clock.get': { takes: v.strictObject({ environmentId: EnvironmentId }), from: ['panel', 'app'] },
  'clock.move': {
    takes: v.strictObject({ environmentId: EnvironmentId, to: v.pipe(v.string(), v.isoTimestamp()) }),
    from: ['panel'],
  },
  'debugPage.open': {
    takes: v.strictObject({
      ...DebugPage.entries,
      leaveFirst: v.optional(v.boolean()),
      payload: v.optional(v.pipe(v.string(), v.maxLength(PAYLOAD_LIMIT))),
    }),
    from: ['panel'],
  },
  'debugPage.allowReload': { takes: DebugPage, from: ['panel'] },
  'pages.open': { takes: OfPage, from: ['panel'] },
  'pages.allowReload': { takes: OfPage, from: ['panel'] },
  'publish.preview': { takes: OfApp, from: ['popup', 'panel'] },
  'publish.start': {
    takes: v.strictObject({
      ...OfApp.entries,
      ...OfPublish.entries,
      appName: v.string(),
      release: Release,
      expected: KnownRelease,
    }),
    from: ['popup'],
    size: BODY,
  },
  'publish.list': { takes: Nothing, from: ['popup', 'panel', 'app'] },
  'publish.settle': { takes: OfPublish, from: ['popup', 'panel'] },
  'publish.cancel': { takes: OfPublish, from: ['popup'] },
  'publish.discard': { takes: OfPublish, from: ['popup', 'panel'] },
  'publish.seen': {
    takes: v.strictObject({ ids: v.pipe(v.array(OfPublish.entries.id), v.maxLength(200)) }),
    from: ['popup'],
  },
  'environments.export': { takes: v.strictObject({ passphrase: v.optional(NewPassphrase) }), from: ['options'] },
  'environments.readFile': { takes: v.strictObject({ text: v.string() }), from: ['options'], size: FILE },
  'environments.import': {
    takes: v.strictObject({ text: v.string(), passphrase: v.optional(Passphrase) }),
    from: ['options'],
    size: FILE,
  },
  'guard.list': { takes: Nothing, from: ['panel'] },
  'guard.unlock': { takes: v.strictObject({ environmentId: EnvironmentId }), from: ['panel'] },
  'guard.lock': { takes: v.strictObject({ environmentId: EnvironmentId }), from: ['panel'] },
  'vault.state': { takes: Nothing, from: everywhere },
  'vault.unlock': { takes: v.strictObject({ passphrase: Passphrase }), from: everywhere },
  'vault.lock': { takes: Nothing, from: everywhere },
  'vault.active': { takes: Nothing, from: everywhere },
  'vault.protect': {
    takes: v.strictObject({ passphrase: NewPassphrase, idleMinutes: IdleMinutes }),
    from: ['options'],
  },
  'vault.changePassphrase': {
    takes: v.strictObject({ current: Passphrase, passphrase: NewPassphrase }),
    from: ['options'],
  },
  'vault.setIdle': { takes: v.strictObject({ idleMinutes: IdleMinutes }), from: ['options'] },
  'vault.unprotect': { takes: v.strictObject({ passphrase: Passphrase }), from: ['options'] },
  'vault.reset': { takes: Nothing, from: ['options'] },
  'worker.ping': { takes: v.strictObject({ id: EnvironmentId }), from: everywhere },
  'worker.cancel': { takes: v.strictObject({ id: EnvironmentId }), from: everywhere },
  'messages.refused': { takes: Nothing, from: ['options'] },
  'data.erase': { takes: Nothing, from: ['options'] },
} satisfies { readonly [N in MessageName]: Rule<Takes<N>> };

/** A parsed message with defaults. */
export type Parsed<N extends MessageName> = v.InferOutput<(typeof RULES)[N]['takes']>;
