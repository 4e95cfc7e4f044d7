/** Owns what the worker accepts: the form of every message, and which of the extension's pages may send it. */
import * as v from 'valibot';
import type { EnvironmentDraft } from '../contract/index.ts';
import { BaseUrl, EnvironmentInput } from '../contract/index.ts';
import type { MessageName, Surface, Takes } from './protocol.ts';

interface Rule<T> {
  takes: v.GenericSchema<unknown, T>;
  from: readonly Surface[];
}

const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const EnvironmentId = v.pipe(v.string(), v.nonEmpty(), v.maxLength(100));
const Nothing = v.optional(v.undefined());
const DebugPage = v.strictObject({ environmentId: EnvironmentId, tabId: Id, appId: Id, taskId: Id });
/** Chosen by its key, and not a union, whose refusal does not say what is wrong with the draft. */
const Test = v.lazy((takes): v.GenericSchema<unknown, { id: string } | { draft: EnvironmentDraft }> =>
  typeof takes === 'object' && takes !== null && 'draft' in takes ? v.strictObject({ draft: EnvironmentInput }) : v.strictObject({ id: EnvironmentId }));
const everywhere: readonly Surface[] = ['options', 'panel', 'popup'];

/** One rule per message; a message without one is refused. */
export const RULES = {
  'environments.list': { takes: Nothing, from: everywhere },
  'environments.save': { takes: EnvironmentInput, from: ['options'] },
  'environments.remove': { takes: v.strictObject({ id: EnvironmentId }), from: ['options'] },
  'access.release': { takes: v.strictObject({ baseUrl: BaseUrl }), from: ['options'] },
  'environments.test': { takes: Test, from: ['options'] },
  'apps.list': { takes: v.strictObject({ environmentId: EnvironmentId }), from: everywhere },
  'actions.list': { takes: v.strictObject({ environmentId: EnvironmentId, appId: Id }), from: ['panel'] },
  'debugPage.open': { takes: v.strictObject({ ...DebugPage.entries, leaveFirst: v.optional(v.boolean()) }), from: ['panel'] },
  'debugPage.allowReload': { takes: DebugPage, from: ['panel'] },
  'vault.state': { takes: Nothing, from: ['options'] },
  'data.erase': { takes: Nothing, from: ['options'] },
} satisfies { readonly [N in MessageName]: Rule<Takes<N>> };

/** A message as its handler gets it: parsed, with its defaults. */
export type Parsed<N extends MessageName> = v.InferOutput<(typeof RULES)[N]['takes']>;
