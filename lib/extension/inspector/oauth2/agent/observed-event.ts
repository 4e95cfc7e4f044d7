/** Reads events that a library reports: only known fields, each of the expected type, every text masked. */
import { ownValue } from '../../agent/describe-cursor.ts';
import { create, hasOwn, isFinite, keys, wallClock } from '../../agent/pristine.ts';
import { isObject, stringsIn } from '../../agent/safe.ts';
import type { FlowDetail, SeenDetail } from '../contract.ts';
import { EVENT_FIELDS, type Field, TOKEN_FIELDS } from '../fields.ts';
import type { Mask } from './mask.ts';

const MAX_WORDS = 20;
/** Milliseconds: the last time that `Date` can represent. */
const MAX_TIME = 8.64e15;

/** Null when the event has no known kind. */
export function readObservedEvent(
  given: unknown,
  mask: Mask,
): { service: string; at: number; detail: FlowDetail | SeenDetail } | null {
  if (!isObject(given)) return null;
  const kind = ownValue(given, 'kind');
  if (typeof kind !== 'string' || !hasOwn(EVENT_FIELDS, kind)) return null;
  const detail = readFields(given, EVENT_FIELDS[kind as keyof typeof EVENT_FIELDS], mask);
  detail.kind = kind;
  const at = ownValue(given, 'at');
  const service = ownValue(given, 'service');
  return {
    service: typeof service === 'string' ? service : '',
    at: typeof at === 'number' && at >= 0 && at <= MAX_TIME ? at : wallClock(),
    detail: detail as unknown as FlowDetail,
  };
}

function readFields(given: object, fields: Record<string, Field>, mask: Mask): Record<string, unknown> {
  const values = create(null) as Record<string, unknown>;
  const names = keys(fields);
  for (let i = 0; i < names.length; i++)
    values[names[i]!] = readField(ownValue(given, names[i]!), fields[names[i]!]!, mask);
  return values;
}

function readField(value: unknown, field: Field, mask: Mask): unknown {
  switch (field) {
    case 'word':
      return typeof value === 'string' ? mask.word(value) : '';
    case 'word?':
      return typeof value === 'string' ? mask.word(value) : null;
    case 'text':
      return typeof value === 'string' ? mask.text(value) : '';
    case 'text?':
      return typeof value === 'string' ? mask.text(value) : null;
    case 'url':
      return typeof value === 'string' ? mask.url(value) : '';
    case 'flag':
      return value === true;
    case 'flag?':
      return typeof value === 'boolean' ? value : null;
    case 'number':
      return typeof value === 'number' && isFinite(value) ? value : 0;
    case 'number?':
      return typeof value === 'number' && isFinite(value) ? value : null;
    case 'words':
      return maskedWords(value, mask);
    case 'token?':
      return isObject(value) ? readFields(value, TOKEN_FIELDS, mask) : null;
  }
}

function maskedWords(value: unknown, mask: Mask): string[] {
  const words = stringsIn(value, MAX_WORDS);
  for (let i = 0; i < words.length; i++) words[i] = mask.word(words[i]!);
  return words;
}
