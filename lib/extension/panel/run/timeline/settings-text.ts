/** Summarizes a step's settings on one line, and fills in their `{{expressions}}` as far as values are recorded. */
import { ConditionError, type TemplatePart, templateParts } from '../../../../pipeline/index.ts';
import { truncate } from '../../../../shared/format.ts';
import { escapeToken } from '../../../../shared/json-pointer.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { entriesOf, isComposite, previewOf, sizeOf, valueAt } from '../../shared/remote-value.ts';
import { pathValue } from '../why/condition-values.ts';

const MAX_SUMMARY = 120;
/** The number of settings in the summary of an unknown package, and the maximum length of each value. */
const MAX_SETTINGS = 3;
const MAX_VALUE = 40;

type Print = (setting: (name: string) => string | null, settings: RemoteValue) => string | null;

const PLATFORM_PACKAGE = /^com\.platform\.function\.([\w-]+)$/;

/** The settings that distinguish steps of the platform's packages. */
const SUMMARIES = new Map<string, Print>(
  Object.entries({
    'send-email': (setting) => arrow(setting('to')),
    'send-notification': (setting) => setting('title') ?? setting('message'),
    'set-context': (_, settings) => namesOf(valueAt(settings, ['assign'])),
    'read-datasource': (setting) => setting('dataSource') ?? numbered('data source', setting('dataSourceId')),
    'write-datasource': (setting) => arrow(setting('dataSource') ?? numbered('data source', setting('dataSourceId'))),
    'http-request': (setting) => [setting('method') ?? 'GET', setting('url')].join(' ').trim(),
    'return-string': (setting) => setting('message'),
    fail: (setting) => setting('message'),
    if: (setting) => setting('condition'),
  } satisfies Record<string, Print>),
);

const arrow = (text: string | null): string | null => text && `→ ${text}`;
const numbered = (what: string, text: string | null): string | null => text && `${what} ${text}`;

/**
 * For example, `→ ada@example.com` or `v1, obj`; empty if the step has no settings with a short value.
 * @param context the context when the step started; null if unknown
 */
export function settingsSummary(functionPackage: string, settings: RemoteValue, context: RemoteValue | null): string {
  if (settings.t !== 'object') return '';
  const print = SUMMARIES.get(PLATFORM_PACKAGE.exec(functionPackage)?.[1] ?? '');
  const setting = (name: string): string | null => scalarText(valueAt(settings, [name]), context);
  return truncate(oneLine(print?.(setting, settings) ?? firstSettings(settings, context)), MAX_SUMMARY);
}

function firstSettings(settings: RemoteValue, context: RemoteValue | null): string {
  const parts: string[] = [];
  if (!isComposite(settings)) return '';
  for (const [name, value] of entriesOf(settings)) {
    const text = scalarText(value, context);
    if (text === null) continue;
    if (parts.push(`${truncate(name, MAX_VALUE)}: ${truncate(text, MAX_VALUE)}`) === MAX_SETTINGS) break;
  }
  return parts.join(', ');
}

/** Null for values that don't fit on a line. */
function scalarText(value: RemoteValue | undefined, context: RemoteValue | null): string | null {
  if (value?.t === 'string') return value.v.trim() === '' ? null : filledText(value.v, context);
  return value?.t === 'number' || value?.t === 'boolean' ? String(value.v) : null;
}

function namesOf(value: RemoteValue | undefined): string | null {
  if (value?.t !== 'object') return null;
  return entriesOf(value)
    .slice(0, 10)
    .map(([name]) => truncate(name, MAX_VALUE))
    .join(', ');
}

/** Control characters and line breaks would break the line. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim();

function filledText(text: string, context: RemoteValue | null): string {
  return fillIn({ t: 'string', v: truncate(text, 1_000), length: text.length }, context).text;
}

/**
 * Fills in expressions that are names or paths of recorded values. Others stay as they are, because only the function
 * knows what they mean. A lone expression keeps its type.
 */
function fillIn(
  given: Extract<RemoteValue, { t: 'string' }>,
  context: RemoteValue | null,
): { text: string; value: RemoteValue } {
  const parts = partsOf(given.v);
  const values = parts.map((part) =>
    typeof part === 'string' || !context ? null : pathValue(part.source.trim(), context),
  );
  const [value] = values;
  if (value && parts.length === 1) return { text: textOf(value), value };
  const text = parts
    .map((part, index) => {
      if (typeof part === 'string') return part;
      const found = values[index];
      return found ? textOf(found) : `{{${part.source}}}`;
    })
    .join('');
  return { text, value: text === given.v ? given : { t: 'string', v: text, length: text.length } };
}

/** The whole text if an expression has no end. */
function partsOf(text: string): TemplatePart[] {
  try {
    return templateParts(text);
  } catch (thrown) {
    if (!(thrown instanceof ConditionError)) throw thrown;
    return [text];
  }
}

/** As functions print a value in text. */
function textOf(value: RemoteValue): string {
  if (value.t === 'string') return value.v;
  if (value.t === 'bigint') return value.v.replace(/n$/, '');
  return value.t === 'undefined' || value.t === 'null' ? '' : previewOf(value, 200);
}

/** A setting whose recorded value differs from its definition: filled in by the function, or by the page's runtime. */
export interface ResolvedSetting {
  /** JSON Pointer into the settings. */
  path: string;
  defined: RemoteValue;
  received: RemoteValue;
}

/** Maximum number of settings that are listed. */
const MAX_RESOLVED = 200;

/**
 * Compares the settings that a step's call recorded with those that the pipeline defines.
 * @param defined null if the definition is unknown
 * @param context the context when the step started; null if unknown
 */
export function resolvedSettings(
  recorded: RemoteValue,
  defined: RemoteValue | null,
  context: RemoteValue | null,
): ResolvedSetting[] {
  const found: ResolvedSetting[] = [];
  const visit = (value: RemoteValue, definition: RemoteValue, path: string): void => {
    if (found.length >= MAX_RESOLVED) return;
    if (isComposite(value) && isComposite(definition) && value.t === definition.t) {
      const definitions = new Map(entriesOf(definition));
      for (const [name, item] of entriesOf(value)) {
        const other = definitions.get(name);
        if (other) visit(item, other, `${path}/${escapeToken(name)}`);
      }
      return;
    }
    const received = value.t === 'string' ? fillIn(value, context).value : value;
    if (!isSame(received, definition)) found.push({ path, defined: definition, received });
  };
  visit(recorded, defined ?? recorded, '');
  return found;
}

function isSame(one: RemoteValue, other: RemoteValue): boolean {
  if (isComposite(one) && isComposite(other)) return sizeOf(one) === sizeOf(other) && one.t === other.t;
  // A recorded string can be cut, unlike its definition.
  if (one.t === 'string' && other.t === 'string')
    return one.length === other.length && (one.v.startsWith(other.v) || other.v.startsWith(one.v));
  return one.t === other.t && previewOf(one, 2_000) === previewOf(other, 2_000);
}
