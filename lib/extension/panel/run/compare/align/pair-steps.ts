/** Pairs the steps of two runs: iterations by their items, and the steps of an iteration by path. */
import { movedPairs, orderPairs, matchItems, type ItemPair } from '../../../../../debugging/compare/align.ts';
import { matchKeys } from '../../../../../debugging/compare/match-keys.ts';
import type { RemoteValue } from '../../../../inspector/contract.ts';
import type { TraceStep } from '../../trace.ts';
import type { CurrentItems } from './current-items.ts';
import { type Ignore, remoteItems } from './remote-items.ts';

export interface StepPair {
  before: TraceStep | null;
  now: TraceStep | null;
  /** The iteration is at another place among those that both runs have. Set for its first step only. */
  isMoved: boolean;
}

/** The nested steps of a step, or the top-level steps. */
export interface Level {
  parent: TraceStep | null;
  steps: readonly TraceStep[];
  items: CurrentItems;
}

/** Steps that only one run has are at their place in that run. */
export function pairSteps(before: Level, now: Level, isIgnored?: Ignore): StepPair[] {
  const isLoop = before.parent?.kind === 'loop' && now.parent?.kind === 'loop';
  return isLoop ? pairIterations(before, now, isIgnored) : pairByPath(before, now);
}

function pairByPath(before: Level, now: Level): StepPair[] {
  const [one, other] = [before.steps[0], now.steps[0]];
  // Most iterations have a single step.
  if (before.steps.length === 1 && now.steps.length === 1 && keyOf(one!, before) === keyOf(other!, now))
    return [{ before: one!, now: other!, isMoved: false }];
  const [left, right] = [keysOf(before), keysOf(now)];
  const pairs = orderPairs(matchKeys(left, right), right.length);
  return pairs.map(([one, other]) => ({ ...pick(before.steps, now.steps, [one, other]), isMoved: false }));
}

/** Only the innermost iteration counts: those around it can be at other places. */
function keyOf({ path, name, iteration }: TraceStep, { parent }: Level): string {
  const depth = parent?.iteration.length ?? 0;
  return iteration.length <= depth ? (path ?? name) : `${path ?? name} ${iteration.slice(depth).join('.')}`;
}

const keysOf = (level: Level): string[] => level.steps.map((step) => keyOf(step, level));

function pick<T>(before: readonly T[], now: readonly T[], [one, other]: ItemPair): { before: T | null; now: T | null } {
  return { before: one === null ? null : before[one]!, now: other === null ? null : now[other]! };
}

interface Iteration {
  steps: TraceStep[];
  item: RemoteValue | undefined;
  index: number;
}

function pairIterations(before: Level, now: Level, isIgnored?: Ignore): StepPair[] {
  const [left, right] = [iterationsOf(before), iterationsOf(now)];
  const isKnown = [...left, ...right].every(({ item }) => item !== undefined);
  const match = isKnown
    ? matchItems(itemsOf(left), itemsOf(right), remoteItems('/currentItem', isIgnored))
    : matchKeys(indexesOf(left), indexesOf(right));
  const pairs = orderPairs(match, right.length);
  const moved = movedPairs(pairs);
  return pairs.flatMap((pair, at) => {
    const { before: one, now: other } = pick(left, right, pair);
    const inner = pairByPath(levelOf(before, one), levelOf(now, other));
    return inner.map((found, index) => (index === 0 && moved.has(at) ? { ...found, isMoved: true } : found));
  });
}

const itemsOf = (iterations: readonly Iteration[]): Iteration['item'][] => iterations.map(({ item }) => item);
const indexesOf = (iterations: readonly Iteration[]): string[] => iterations.map(({ index }) => String(index));

const levelOf = (level: Level, iteration: Iteration | null): Level => {
  const [first] = iteration?.steps ?? [];
  // As if it was the parent, so that its index doesn’t count.
  return { ...level, parent: first ?? null, steps: iteration?.steps ?? [] };
};

function iterationsOf({ parent, steps, items }: Level): Iteration[] {
  const depth = parent?.iteration.length ?? 0;
  const found: Iteration[] = [];
  for (const step of steps) {
    const index = step.iteration[depth] ?? 0;
    const last = found.at(-1);
    if (last?.index === index) last.steps.push(step);
    else found.push({ steps: [step], item: items.get(step.id), index });
  }
  return found;
}
