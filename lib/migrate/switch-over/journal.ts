/** Creates journals, and reads stored ones. */
import * as v from 'valibot';
import { Trigger } from '../../platform-api/action.ts';
import { contentOf } from './next-request.ts';
import { POSITIONS, type Draft, type Journal, type V2State, type V3State } from './types.ts';

/** FNV-1a, to recognize the code of a draft again. */
export function codeHash(code: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < code.length; at++) hash = Math.imul(hash ^ code.charCodeAt(at), 0x01000193);
  return `${(hash >>> 0).toString(16)}:${code.length}`;
}

export function newJournal({ id, name, active, isLive }: V2State, draft: Draft): Journal {
  const { code, ...planned } = draft;
  return {
    version: 1,
    // A platform that doesn’t report it is taken to have it live, so that going back publishes it.
    v2: { id, name, wasActive: active, wasLive: isLive ?? true },
    draft: { ...planned, codeHash: codeHash(code) },
    v3Id: null,
    position: 'none',
    goal: null,
    pending: null,
    v2Live: (isLive ?? true) ? 'on' : 'off',
    v3Live: 'off',
    areCallsMoved: false,
    gap: null,
    liveAt: null,
    handed: [],
  };
}

/** Whether an action is the draft that an earlier request created. */
export const isDraftOf = (v3: V3State, draft: Draft): boolean =>
  v3.code === draft.code && v3.active === contentOf(draft, 'idle').active && !v3.live;

const Id = v.pipe(v.number(), v.integer());
const Time = v.nullable(v.number());
const Content = v.picklist(['quiet', 'full', 'idle']);

const StoredRequest = v.variant('to', [
  v.object({ to: v.literal('v2.update'), active: v.boolean() }),
  v.object({ to: v.literal('v3.update'), content: Content }),
  v.object({
    to: v.picklist(['v2.publish', 'v2.unpublish', 'v2.remove', 'v3.create', 'v3.publish', 'v3.unpublish', 'v3.remove']),
  }),
]);

const StoredJournal = v.object({
  version: v.literal(1),
  v2: v.object({ id: Id, name: v.string(), wasActive: v.boolean(), wasLive: v.boolean() }),
  draft: v.object({
    name: v.string(),
    codeHash: v.string(),
    description: v.nullable(v.string()),
    environment: v.picklist(['server', 'client', 'any']),
    dependencies: v.array(v.string()),
    triggers: v.array(Trigger),
    frequency: v.nullable(v.string()),
    timezone: v.nullable(v.string()),
  }),
  v3Id: v.nullable(Id),
  position: v.picklist(POSITIONS),
  goal: v.nullable(v.picklist(POSITIONS)),
  pending: v.nullable(StoredRequest),
  v2Live: v.picklist(['on', 'off', 'unknown']),
  v3Live: v.picklist(['off', 'quiet', 'full', 'unknown']),
  areCallsMoved: v.boolean(),
  gap: v.nullable(
    v.object({
      afterId: Id,
      toId: v.nullable(Id),
      from: v.number(),
      to: Time,
      offAt: Time,
      lastRunId: Id,
      lastRunAt: Time,
    }),
  ),
  // Earlier versions of the extension didn’t store it.
  liveAt: v.nullish(v.object({ id: Id, time: v.number() }), null),
  handed: v.array(
    v.object({
      key: v.string(),
      to: v.picklist(['v2', 'v3']),
      state: v.picklist(['sending', 'sent']),
      at: v.number(),
      afterId: Id,
    }),
  ),
});

/** Null if it isn’t a journal. */
export function parseJournal(stored: unknown): Journal | null {
  const parsed = v.safeParse(StoredJournal, stored);
  return parsed.success ? parsed.output : null;
}
