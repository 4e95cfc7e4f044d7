/**
 * Finds the actions that a record or event would trigger, and why it doesn't trigger the others (decisions, "Actions").
 */
import type { Action, PublishedAction } from '../../../../platform-api/action.ts';
import { actionProblems } from '../../../../platform-api/actions/input.ts';
import { type Mismatch, whereMismatches } from '../../../../platform-api/where.ts';

/** A log record as the platform stores it, or an event as a page sends it. */
export type Happening =
  | { trigger: 'log'; record: Record<string, unknown> }
  | { trigger: 'analytics'; record: Record<string, unknown>; mode: 'preview' | 'live' };

/** A trigger of the same kind, and the fields that don't match its `where` filter. */
export interface TriggerMatch {
  index: number;
  mismatches: Mismatch[];
}

export interface ActionMatch {
  id: number;
  name: string;
  fires: boolean;
  /** Whether the platform doesn't report the published copy, which decides. Then `fires` is about the working copy. */
  isAssumed: boolean;
  /** Why the action doesn't fire, apart from its `where` filters. */
  reasons: string[];
  triggers: TriggerMatch[];
}

/**
 * Actions with a trigger of that kind in either copy. Those that fire come first, then those with the fewest
 * mismatches.
 */
export function matchActions(actions: readonly Action[], happening: Happening): ActionMatch[] {
  return actions
    .flatMap((action) => matchAction(action, happening) ?? [])
    .toSorted(
      (a, b) =>
        Number(b.fires) - Number(a.fires) || fewestMismatches(a) - fewestMismatches(b) || a.name.localeCompare(b.name),
    );
}

const fewestMismatches = ({ triggers }: ActionMatch): number =>
  Math.min(Infinity, ...triggers.map(({ mismatches }) => mismatches.length));

function matchAction(action: Action, happening: Happening): ActionMatch | null {
  const { trigger, record } = happening;
  const published = action.published === undefined ? action : action.published;
  // Log triggers use the published copy. The preview page uses the working copy, and the live page the published copy.
  const isLive = trigger === 'log' || happening.mode === 'live';
  const used = isLive ? published : action;
  const shown = [used, action, published].find((copy) => triggersOf(copy, trigger).length > 0);
  if (!shown) return null;
  const triggers = triggersOf(shown, trigger).map(({ index, where }) => ({
    index,
    mismatches: whereMismatches(where, record),
  }));
  const reasons = reasonsOf(used, shown, trigger, isLive);
  return {
    id: action.id,
    name: action.name,
    reasons,
    isAssumed: isLive && action.published === undefined,
    triggers,
    fires: reasons.length === 0 && triggers.some(({ mismatches }) => mismatches.length === 0),
  };
}

function triggersOf(
  copy: PublishedAction | null | undefined,
  kind: Happening['trigger'],
): { index: number; where: Record<string, unknown> }[] {
  return (copy?.triggers ?? []).flatMap(({ trigger, where }, index) =>
    trigger === kind ? [{ index, where: where ?? {} }] : [],
  );
}

function reasonsOf(
  used: PublishedAction | null,
  shown: PublishedAction,
  kind: Happening['trigger'],
  isLive: boolean,
): string[] {
  const user = kind === 'log' ? 'Log triggers use' : 'The live page uses';
  if (used === null) return [`${user} the published copy, and this action isn’t published.`];
  if (used !== shown)
    return [
      isLive
        ? `${user} the published copy, which has no ${kind} trigger. Publish the action again.`
        : `The preview page uses the working copy, which has no ${kind} trigger.`,
    ];
  // Some platforms allow triggers that never fire in the action's environment.
  const triggers = used.triggers.filter(({ trigger }) => trigger === kind);
  const problems = actionProblems({ environment: used.environment, triggers, frequency: '' });
  const inactive = isLive ? 'The published copy is inactive.' : 'The action is inactive.';
  return [...(used.active ? [] : [inactive]), ...new Set(problems.map(({ message }) => message))];
}
