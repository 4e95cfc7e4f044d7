/** Reads the items of lists of described values, to align them. */
import { escapeToken } from '../../../../../shared/json-pointer.ts';
import type { ItemReader } from '../../../../../debugging/compare/identify.ts';
import type { RemoteValue } from '../../../../inspector/contract.ts';
import { entryOf, entriesOf, isComposite, sizeOf } from '../../../shared/remote-value.ts';

/** Whether the difference at a path doesn’t count. */
export type Ignore = (path: string) => boolean;

/** @param path the path of an item, so that what is ignored isn’t part of the content */
export function remoteItems(path: string, isIgnored: Ignore = () => false): ItemReader<RemoteValue | undefined> {
  return {
    *properties(item) {
      yield* simpleEntries(item, '');
      yield* simpleEntries(propertyOf(item, 'data'), 'data.');
    },
    property(item, name) {
      const isInData = name.startsWith('data.');
      const value = propertyOf(isInData ? propertyOf(item, 'data') : item, isInData ? name.slice(5) : name);
      return value && simpleText(value);
    },
    content: (item) => contentText(item, path, isIgnored),
  };
}

const propertyOf = (value: RemoteValue | undefined, name: string): RemoteValue | undefined =>
  value?.t === 'object' ? entryOf(value, name) : undefined;

function* simpleEntries(value: RemoteValue | undefined, prefix: string): Generator<[name: string, text: string]> {
  if (value?.t !== 'object') return;
  for (const [name, item] of value.entries) {
    const text = simpleText(item);
    if (text !== undefined) yield [prefix + name, text];
  }
}

/** Undefined unless it’s a number or a whole string. */
function simpleText(value: RemoteValue): string | undefined {
  if (value.t === 'number') return `number ${value.v}`;
  return value.t === 'string' && value.v.length === value.length ? `string ${value.v}` : undefined;
}

/** What isn’t transferred is left out. */
function contentText(value: RemoteValue | undefined, path: string, isIgnored: Ignore): string {
  if (value === undefined || isIgnored(path)) return '';
  if (!isComposite(value)) return `${value.t} ${leafText(value)},`;
  const entries = entriesOf(value);
  if (value.t === 'object') entries.sort(([one], [other]) => (one < other ? -1 : 1));
  const texts = entries.map(
    ([name, item]) => `${JSON.stringify(name)}:${contentText(item, `${path}/${escapeToken(name)}`, isIgnored)}`,
  );
  return `${value.t} ${sizeOf(value)} ${texts.join('')};`;
}

function leafText(value: RemoteValue): string {
  if (value.t === 'string') return `${value.length} ${value.v}`;
  if (value.t === 'error') return `${value.name} ${value.message}`;
  return 'v' in value ? String(value.v) : '';
}
