/** Says where steps of a switch-over lead to. Pure. */
import { type Journal, type Position, POSITIONS } from './types.ts';

type Place = Pick<Journal, 'position' | 'goal'>;

export const isBeyond = (one: Position, other: Position): boolean => POSITIONS.indexOf(one) > POSITIONS.indexOf(other);

/** The position that the next step leads to. */
export function nextOf({ position, goal }: Place): Position {
  const [here, there] = [POSITIONS.indexOf(position), goal === null ? -1 : POSITIONS.indexOf(goal)];
  return POSITIONS[there === -1 ? Math.min(here + 1, POSITIONS.length - 1) : Math.max(here, there)]!;
}

/** The position that *Go back* leads to. */
export function previousOf({ position, goal }: Place): Position {
  const [here, there] = [POSITIONS.indexOf(position), goal === null ? -1 : POSITIONS.indexOf(goal)];
  return POSITIONS[there === -1 ? Math.max(here - 1, 0) : Math.min(here, there)]!;
}
