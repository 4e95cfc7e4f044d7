/** An environment (a platform to connect to) as extension pages see it: without its token. */
import * as v from 'valibot';
import { BaseUrl, Namespace, PageUrl } from '../../../platform-api/base-url.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { truncate } from '../../../shared/format.ts';
import { visible } from '../../../shared/invisible.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';

export const Preset = v.picklist(['eu', 'us', 'ca', 'local', 'custom']);
export type Preset = v.InferOutput<typeof Preset>;

export const PRESET_NAMES: Record<Preset, string> = { eu: 'EU', us: 'US', ca: 'CA', local: 'Local', custom: 'Custom' };

/** Environments of earlier versions can have others. */
const isVisible = (text: string): boolean => visible(text) === text && !/[\t\n\r]/.test(text);

const PAGE_URL_LIMIT = 10;

/** Input for an environment. Without `token`, the stored token is kept. */
export const EnvironmentInput = v.object({
  id: v.optional(v.string()),
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('Enter a name.'),
    v.maxLength(80, 'A name is limited to 80 characters.'),
    v.check(
      isVisible,
      ({ input }) => `A name must be one line of visible characters. This one is “${visible(input)}”.`,
    ),
  ),
  preset: Preset,
  baseUrl: BaseUrl,
  namespace: v.optional(Namespace, DEFAULT_NAMESPACE),
  production: v.optional(v.boolean(), false),
  /** Where else the platform serves its apps’ pages. Absent if they’re below the base URL. */
  pageUrls: v.optional(
    v.pipe(v.array(PageUrl), v.maxLength(PAGE_URL_LIMIT, `An environment is limited to ${PAGE_URL_LIMIT} page URLs.`)),
  ),
  token: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Enter the token.'),
      v.maxLength(4096, 'A token is limited to 4,096 characters.'),
      v.regex(/^[\x21-\x7e]+$/, 'A token must not contain spaces or control characters.'),
    ),
  ),
});
export type EnvironmentInput = v.InferInput<typeof EnvironmentInput>;
/** The parsed input: trimmed, with defaults. */
export type EnvironmentDraft = v.InferOutput<typeof EnvironmentInput>;

/** The REST endpoints that a platform showed: some beyond the specification (`all`), or none. */
export const Endpoints = v.picklist(['all', 'specified']);
export type Endpoints = v.InferOutput<typeof Endpoints>;

export interface Environment extends StoredEnvironment {
  /** Null if unknown. */
  endpoints: Endpoints | null;
}

/** What a connection test found: how many apps were listed, and how many more couldn’t be read. */
export interface TestedConnection {
  apps: number;
  unreadable: number;
  milliseconds: number;
}

/** An environment as the vault has it. */
export interface StoredEnvironment {
  id: string;
  name: string;
  preset: Preset;
  baseUrl: string;
  namespace: string;
  production: boolean;
  /** See `EnvironmentInput`. */
  pageUrls?: string[] | undefined;
  /** For example, `••••3f9a`; null if there’s no readable token. */
  maskedToken: string | null;
  /** Set if the stored token can’t be read. */
  problem?: ErrorValue;
}

/** Words of letters and digits, which can’t be taken for a host. */
const PLAIN_NAME = /^[\w-]+( [\w-]+)*$/;
/** What names look like: without case, and with one form of what looks alike. */
const looks = (name: string): string =>
  name.toLowerCase().replaceAll(/[ _-]/g, '').replaceAll('0', 'o').replaceAll(/[1i]/g, 'l');

/** Whether two names could be taken for each other. */
export const isLike = (name: string, other: string): boolean => looks(name) === looks(other);

/** The name of an environment among others, with its URL if it could be taken for another. */
export function labelOf(
  one: Pick<StoredEnvironment, 'id' | 'name' | 'baseUrl'>,
  all: readonly Pick<StoredEnvironment, 'id' | 'name'>[],
): string {
  const { id, name, baseUrl } = one;
  const isClear = PLAIN_NAME.test(name) && !all.some((other) => other.id !== id && isLike(other.name, name));
  return isClear || baseUrl === '' ? name : `${name} (${hostOf(one)})`;
}

/** In characters. */
const PATH_LENGTH = 24;

/** A base URL as it’s shown beside a name: the whole host, because its end says whose it is, and the start of the path. */
export function hostOf({ baseUrl }: Pick<StoredEnvironment, 'baseUrl'>): string {
  const { host, pathname } = new URL(baseUrl);
  return pathname === '/' ? host : host + truncate(pathname, PATH_LENGTH);
}

/** Whether a page at this URL belongs to the environment. */
export const hasPage = (
  { baseUrl, pageUrls = [] }: Pick<StoredEnvironment, 'baseUrl' | 'pageUrls'>,
  url: string,
): boolean => [baseUrl, ...pageUrls].some((start) => url.startsWith(`${start}/`));

/** A match pattern for a URL’s origin, for host permissions. Match patterns have no port. */
export function originPattern(url: string): string {
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}/*`;
}
