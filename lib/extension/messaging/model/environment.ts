/** An environment (a platform to connect to) as extension pages see it: without its token. */
import * as v from 'valibot';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';

export const Preset = v.picklist(['eu', 'us', 'ca', 'local', 'custom']);
export type Preset = v.InferOutput<typeof Preset>;

export const PRESET_NAMES: Record<Preset, string> = { eu: 'EU', us: 'US', ca: 'CA', local: 'Local', custom: 'Custom' };

const NAMESPACE = /^[A-Za-z_$][\w$]*$/;

/** Hosts that can use `http:`. The manifest can’t request access to any others. */
const HTTP_HOSTS = new Set(['localhost', '127.0.0.1']);
/** A URL on this computer without a scheme, such as `localhost:4400`. */
const LOCAL_HOST = /^(localhost|127\.0\.0\.1)(?=[:/]|$)/i;
const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i;
const HOST = /^[a-z\d-]+(\.[a-z\d-]+)+(:\d+)?$/i;

/**
 * Allows `http:` only for this computer, where it’s the default. Rejects usernames, passwords, queries, and fragments. Removes trailing
 * slashes.
 * @param why added to the message about another URL with `http:`
 */
const webUrl = (why = '') =>
  v.pipe(
    v.string(),
    v.trim(),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const text = LOCAL_HOST.test(dataset.value) ? `http://${dataset.value}` : dataset.value;
      // `new URL` takes the host in `api.example.com:8443` for a scheme.
      const url = SCHEME.test(text) && URL.canParse(text) ? new URL(text) : null;
      if (!url) {
        const example = HOST.test(text) ? text : 'api.example.com';
        addIssue({ message: `Enter a full URL, such as https://${example}.` });
        return NEVER;
      }
      if (url.protocol !== 'https:' && !(url.protocol === 'http:' && HTTP_HOSTS.has(url.hostname))) {
        addIssue({
          message: `Use https${why}. Only localhost and 127.0.0.1 allow http.`,
        });
        return NEVER;
      }
      if (url.username || url.password || url.search || url.hash) {
        addIssue({ message: 'Enter only the scheme, host, port, and path, without a username, a password, ?, or #.' });
        return NEVER;
      }
      // These characters have a special meaning in the declarativeNetRequest rule that adds the token.
      if (/[*^|]/.test(url.pathname)) {
        addIssue({ message: 'The path must not contain *, ^, or |.' });
        return NEVER;
      }
      return url.href.replace(/\/+$/, '');
    }),
  );

export const BaseUrl = webUrl(', because the token is sent to this URL');
export const PageUrl = webUrl();

const PAGE_URL_LIMIT = 10;

/** Input for an environment. Without `token`, the stored token is kept. */
export const EnvironmentInput = v.object({
  id: v.optional(v.string()),
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('Enter a name.'),
    v.maxLength(80, 'A name is limited to 80 characters.'),
  ),
  preset: Preset,
  baseUrl: BaseUrl,
  namespace: v.optional(
    v.pipe(v.string(), v.trim(), v.regex(NAMESPACE, 'A namespace must be a JavaScript identifier, such as Platform.')),
    DEFAULT_NAMESPACE,
  ),
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

/** The REST endpoints of a platform: all that this extension knows, or only the specified ones. */
export const Endpoints = v.picklist(['all', 'specified']);
export type Endpoints = v.InferOutput<typeof Endpoints>;

export interface Environment extends StoredEnvironment {
  /** Null if unknown. */
  endpoints: Endpoints | null;
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
