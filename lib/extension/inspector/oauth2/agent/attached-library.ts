/** A library that the agent watches. The library either reports its flow itself or is wrapped. */
import { ownValue } from '../../agent/describe/describe-cursor.ts';
import { create, hasOwn, isFinite, keys, wallClock } from '../../agent/pristine.ts';
import { attempt, callMethod, type Fn, includes, isObject, readProperty, stringsIn } from '../../agent/safe.ts';
import type { FlowDetail, OAuth2Page, SeenDetail } from '../contract.ts';
import { EVENT_FIELDS, type Field, TOKEN_FIELDS } from '../fields.ts';
import type { Report } from './flow-log.ts';
import { type FoundLibrary, instanceOf, readFeatures } from './library.ts';
import type { Mask } from './mask.ts';
import { Services } from './services.ts';
import { WrappedLibrary } from './wrap-library.ts';

/** Milliseconds until an observed library's session is read again. Reading it has no side effects. */
const SESSION_AGE = 1_500;
const MAX_WORDS = 20;
const MAX_LINES = 50;
const MAX_LINE = 1_000;
/** The latest time that `Date` can represent, in milliseconds. */
const MAX_TIME = 8.64e15;

/** The library's part of the page state. */
export type LibraryState = Pick<
  OAuth2Page,
  'tracing' | 'version' | 'features' | 'readable' | 'canRefresh' | 'services' | 'moreServices'
>;

export class AttachedLibrary {
  readonly services: Services;
  readonly features: string[];
  readonly version: string | null;
  tracing: OAuth2Page['tracing'];
  readonly #fn: Fn;
  readonly #mask: Mask;
  readonly #log: (service: string, detail: FlowDetail | SeenDetail, at?: number) => void;
  #wrapped: WrappedLibrary | null = null;
  #rereadOptions = true;
  #rereadSessions = true;

  /** @param isEarly whether the agent was installed before the page's first script ran */
  constructor(
    { fn, root }: FoundLibrary & { fn: Fn; root: object },
    isEarly: boolean,
    mask: Mask,
    log: (service: string, detail: FlowDetail | SeenDetail, at?: number) => void,
  ) {
    const version = readProperty(fn, 'version');
    this.#fn = fn;
    this.#mask = mask;
    this.#log = log;
    this.features = readFeatures(fn, mask);
    this.version = typeof version === 'string' ? mask.word(version) : null;
    this.services = new Services(fn, mask);
    this.tracing = isEarly ? 'wrapped' : 'late';
    this.services.readAll();
    if (includes(this.features, 'observe') && attempt(() => this.#observe()) === true) this.tracing = 'observed';
    else this.#wrapped = attempt(() => this.#wrap(root)) ?? null;
  }

  /** Marks sessions as outdated, since they might have changed. */
  invalidate(): void {
    this.#rereadSessions = true;
  }

  /** Updates services and sessions. With `refresh`, also rereads what a library without `observe` reported before. */
  update(refresh: boolean): void {
    if (this.#rereadOptions || refresh) {
      this.#rereadOptions = false;
      this.services.readAll();
    }
    attempt(() => this.#wrapped?.poll());
    const isStale = this.#rereadSessions || refresh;
    this.#rereadSessions = false;
    // Libraries without `observe` might send requests when their session is read, so their sessions are only read after
    // a change.
    this.services.readSessions(isStale ? 0 : this.tracing === 'observed' ? SESSION_AGE : Infinity);
  }

  describe(): LibraryState {
    return {
      tracing: this.tracing,
      version: this.version,
      features: this.features,
      readable: this.services.isReadable(),
      canRefresh: this.#hasMethod('refresh'),
      services: this.services.describe(),
      moreServices: this.services.more(),
    };
  }

  /** Whether the first service has the method. */
  #hasMethod(name: string): boolean {
    const first = this.services.list()[0];
    const instance = first ? instanceOf(this.#fn, first.name) : null;
    return instance !== null && typeof readProperty(instance, name) === 'function';
  }

  #observe(): boolean {
    callMethod(this.#fn, 'observe', [(event: unknown) => void attempt(() => this.#onEvent(event))]);
    return true;
  }

  #onEvent(given: unknown): void {
    const event = readObservedEvent(given, this.#mask);
    if (!event) return;
    const { kind } = event.detail;
    if (kind === 'configured') this.#rereadOptions = true;
    if (kind === 'session' || kind === 'event') this.invalidate();
    this.#log(this.services.displayName(event.service), event.detail, event.at);
  }

  #wrap(root: object): WrappedLibrary {
    const report: Report = (service, detail) => this.#log(this.services.displayName(service), detail);
    const onChange = (): void => this.invalidate();
    return new WrappedLibrary({ root, fn: this.#fn, services: this.services, mask: this.#mask, report, onChange });
  }
}

/** Reads only known fields, checks their types, and masks their text. Returns null if the event's kind is unknown. */
function readObservedEvent(
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
    values[names[i]!] = FIELD_READERS[fields[names[i]!]!](ownValue(given, names[i]!), mask);
  return values;
}

const textOr = <T>(value: unknown, mask: (text: string) => string, other: T): string | T =>
  typeof value === 'string' ? mask(value) : other;
const numberOr = <T>(value: unknown, other: T): number | T =>
  typeof value === 'number' && isFinite(value) ? value : other;

const FIELD_READERS: Record<Field, (value: unknown, mask: Mask) => unknown> = {
  word: (value, mask) => textOr(value, (text) => mask.word(text), ''),
  'word?': (value, mask) => textOr(value, (text) => mask.word(text), null),
  text: (value, mask) => textOr(value, (text) => mask.text(text), ''),
  'text?': (value, mask) => textOr(value, (text) => mask.text(text), null),
  url: (value, mask) => textOr(value, (text) => mask.url(text), ''),
  flag: (value) => value === true,
  'flag?': (value) => (typeof value === 'boolean' ? value : null),
  number: (value) => numberOr(value, 0),
  'number?': (value) => numberOr(value, null),
  words: maskedWords,
  'lines?': maskedLines,
  'token?': (value, mask) => (isObject(value) ? readFields(value, TOKEN_FIELDS, mask) : null),
};

/** Null unless the value is a list: older libraries don’t report it. */
function maskedLines(value: unknown, mask: Mask): string[] | null {
  if (!isObject(value)) return null;
  const lines = stringsIn(value, MAX_LINES);
  for (let i = 0; i < lines.length; i++) lines[i] = mask.plain(lines[i]!, MAX_LINE);
  return lines;
}

function maskedWords(value: unknown, mask: Mask): string[] {
  const words = stringsIn(value, MAX_WORDS);
  for (let i = 0; i < words.length; i++) words[i] = mask.word(words[i]!);
  return words;
}
