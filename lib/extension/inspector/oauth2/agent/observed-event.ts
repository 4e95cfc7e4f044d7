/** Owns making an event of what a library told: only known fields, each of the type that it should have, every text masked. */
import { ownValue } from '../../agent/describe-cursor.ts';
import { create, hasOwn, isArray, isFinite, keys, wallClock } from '../../agent/pristine.ts';
import { isObject } from '../../agent/safe.ts';
import type { FlowDetail, SeenDetail } from '../contract.ts';
import { EVENT_FIELDS, type Field, TOKEN_FIELDS } from '../fields.ts';
import type { Mask } from './mask.ts';

const MOST_WORDS = 20;
/** Milliseconds: the last time that there is. */
const LATEST = 8.64e15;

/** Null when it is no event that is known. */
export function readObservedEvent(
  given: unknown,
  mask: Mask,
): { service: string; at: number; detail: FlowDetail | SeenDetail } | null {
  if (!isObject(given)) return null;
  const kind = ownValue(given, 'kind');
  if (typeof kind !== 'string' || !hasOwn(EVENT_FIELDS, kind)) return null;
  const detail = pick(given, EVENT_FIELDS[kind as keyof typeof EVENT_FIELDS], mask);
  detail.kind = kind;
  const at = ownValue(given, 'at');
  const service = ownValue(given, 'service');
  return {
    service: typeof service === 'string' ? service : '',
    at: typeof at === 'number' && at >= 0 && at <= LATEST ? at : wallClock(),
    detail: detail as unknown as FlowDetail,
  };
}

function pick(given: object, fields: Record<string, Field>, mask: Mask): Record<string, unknown> {
  const picked = create(null) as Record<string, unknown>;
  const names = keys(fields);
  for (let i = 0; i < names.length; i++) picked[names[i]!] = read(ownValue(given, names[i]!), fields[names[i]!]!, mask);
  return picked;
}

function read(value: unknown, field: Field, mask: Mask): unknown {
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
      return words(value, mask);
    case 'token?':
      return isObject(value) ? pick(value, TOKEN_FIELDS, mask) : null;
  }
}

function words(value: unknown, mask: Mask): string[] {
  const told: string[] = [];
  if (!isArray(value)) return told;
  for (let i = 0; i < (value as unknown[]).length && told.length < MOST_WORDS; i++) {
    const item = (value as unknown[])[i];
    if (typeof item === 'string') told[told.length] = mask.word(item);
  }
  return told;
}
