/** Validates action names and IDs in URLs. */
import { ACTION_NAME_LIMIT } from '../limits.ts';

const NAME = /^[A-Za-z0-9_-]+$/;
const MAX_ID = 2 ** 31 - 1;

/** The reason why `name` isn’t a valid action name, or null if it’s valid. */
export function nameProblem(name: unknown): string | null {
  const fine = typeof name === 'string' && name.length <= ACTION_NAME_LIMIT && NAME.test(name);
  return fine ? null : `name must be 1 to ${ACTION_NAME_LIMIT} letters, digits, dashes, or underscores.`;
}

/** The reason why `reference` is neither an action’s ID nor its name, or null if it could be either. */
export function referenceProblem(reference: unknown): string | null {
  const text = typeof reference === 'number' ? String(reference) : reference;
  return nameProblem(text) === null
    ? null
    : `The action must be a positive integer ID, or a name of at most ${ACTION_NAME_LIMIT} letters, digits, dashes, or underscores.`;
}

/** The reason why `id`, given as a number or as digits, isn’t a valid action ID, or null if it’s valid. */
export function idProblem(id: unknown): string | null {
  const fine = /^[1-9]\d{0,9}$/.test(String(id)) && Number(id) <= MAX_ID;
  return fine ? null : 'An action’s ID must be a positive integer.';
}

/** The message of every 422 response. */
export const invalidMessage = (first: string | undefined): string =>
  `The request is invalid: ${first ?? 'see details'}`;
