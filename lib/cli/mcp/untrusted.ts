/** Makes data from a platform safe to show to a model: no markup, and no end of a quotation. */
import { visible } from '../../shared/invisible.ts';

/** JSON in which no markup can begin: a reader of tags finds none. */
export const jsonOf = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Quotes a value from a platform in a sentence of ours: on one line, cut, and without quotation marks of its own. */
export function quoted(value: string, length = 80): string {
  const line = visible(value)
    .replaceAll(/[“”„‟"«»]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
  const characters = [...line];
  return `“${characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line}”`;
}
