/** Validates names and IDs of actions in URLs. */
import { ACTION_NAME_LIMIT } from '../limits.ts';

const NAME = /^[A-Za-z0-9_-]+$/;
const MAX_ID = 2 ** 31 - 1;

/** Why `name` is invalid as the name of an action; null if it is valid. */
export function nameProblem(name: unknown): string | null {
  const fine = typeof name === 'string' && name.length <= ACTION_NAME_LIMIT && NAME.test(name);
  return fine ? null : `name must be 1 to ${ACTION_NAME_LIMIT} letters, digits, dashes, or underscores.`;
}

/** Why `reference` is neither an ID nor a name of an action; null if it may be either. */
export function referenceProblem(reference: unknown): string | null {
  const text = typeof reference === 'number' ? String(reference) : reference;
  return nameProblem(text) === null
    ? null
    : `The action must be an ID from 1, or a name of at most ${ACTION_NAME_LIMIT} letters, digits, dashes, or underscores.`;
}

/** Why `id`, a number or its digits, is invalid as an action’s ID; null if it is valid. */
export function idProblem(id: unknown): string | null {
  const fine = /^[1-9]\d{0,9}$/.test(String(id)) && Number(id) <= MAX_ID;
  return fine ? null : 'An action’s ID must be a positive integer.';
}

/** The message of every 422 response. */
export const invalidMessage = (first: string | undefined): string =>
  `The request is invalid: ${first ?? 'see details'}`;
