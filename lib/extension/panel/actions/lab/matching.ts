/** Owns which actions a log record or an analytics event would fire, and what keeps the others (decisions, "Actions"). */
import type { Action, PublishedAction } from '../../../../platform-api/action.ts';
import { actionProblems } from '../../../../platform-api/action-input.ts';
import { type Mismatch, whereMismatches } from '../../../../platform-api/where.ts';

/** What happens: a record as the platform keeps it, or an event as a page tells it. */
export type Happening =
  | { trigger: 'log'; record: Record<string, unknown> }
  | { trigger: 'analytics'; record: Record<string, unknown>; mode: 'preview' | 'live' };

/** One trigger of the kind, and the fields of its `where` that the record does not have as wanted. */
export interface TriggerMatch {
  index: number;
  mismatches: Mismatch[];
}

export interface ActionMatch {
  id: number;
  name: string;
  fires: boolean;
  /** What keeps it apart from its `where`; one sentence each. */
  reasons: string[];
  triggers: TriggerMatch[];
}

/** The actions that listen to such happenings, in either of their copies, and whether they hear this one; those that fire first. */
export function matchActions(actions: readonly Action[], happening: Happening): ActionMatch[] {
  return actions
    .flatMap((action) => matchAction(action, happening) ?? [])
    .toSorted((a, b) => Number(b.fires) - Number(a.fires) || distance(a) - distance(b) || a.name.localeCompare(b.name));
}

/** Fewest fields that keep it: what nearly fires is read first. */
const distance = ({ triggers }: ActionMatch): number =>
  Math.min(Infinity, ...triggers.map(({ mismatches }) => mismatches.length));

function matchAction(action: Action, happening: Happening): ActionMatch | null {
  const { trigger, record } = happening;
  // A platform that does not tell the published copy is taken to have the same.
  const published = action.published === undefined ? action : action.published;
  // Log triggers use the published copy; of a page, the preview runs the working one and the live page the published one.
  const isLive = trigger === 'log' || happening.mode === 'live';
  const copy = isLive ? published : action;
  const heard = ofKind(copy, trigger);
  const shown = heard.length > 0 ? copy : [action, published].find((one) => ofKind(one, trigger).length > 0);
  if (!shown) return null;
  const triggers = ofKind(shown, trigger).map(({ index, where }) => ({
    index,
    mismatches: whereMismatches(where, record),
  }));
  const reasons = reasonsOf(copy, shown, trigger, isLive);
  return {
    id: action.id,
    name: action.name,
    reasons,
    triggers,
    fires: reasons.length === 0 && triggers.some(({ mismatches }) => mismatches.length === 0),
  };
}

function ofKind(
  copy: PublishedAction | null | undefined,
  kind: Happening['trigger'],
): { index: number; where: Record<string, unknown> }[] {
  return (copy?.triggers ?? []).flatMap(({ trigger, where }, index) =>
    trigger === kind ? [{ index, where: where ?? {} }] : [],
  );
}

function reasonsOf(
  copy: PublishedAction | null,
  shown: PublishedAction,
  kind: Happening['trigger'],
  isLive: boolean,
): string[] {
  const who = kind === 'log' ? 'Log triggers use the published copy' : 'The live page uses the published copy';
  if (copy === null) return [`${who}, and it is not published.`];
  if (copy !== shown)
    return [
      isLive
        ? `${who}, which has no ${kind} trigger; publish it again.`
        : `The preview uses the working copy, which has no ${kind} trigger.`,
    ];
  const reasons = copy.active ? [] : [isLive ? 'The published copy is inactive.' : 'It is inactive.'];
  // An installation may keep a trigger that its environment never runs.
  const { environment, triggers } = copy;
  return [
    ...reasons,
    ...new Set(
      actionProblems({ environment, triggers: triggers.filter(({ trigger }) => trigger === kind), frequency: '' }).map(
        ({ message }) => message,
      ),
    ),
  ];
}
