/** An environment: a platform to connect to, as pages see it, without its token. */
import * as v from 'valibot';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';

export const Preset = v.picklist(['eu', 'us', 'ca', 'local', 'custom']);
export type Preset = v.InferOutput<typeof Preset>;

export const PRESET_NAMES: Record<Preset, string> = { eu: 'EU', us: 'US', ca: 'CA', local: 'Local', custom: 'Custom' };

const NAMESPACE = /^[A-Za-z_$][\w$]*$/;

/** Where `http:` is allowed: the manifest can ask for access to these two alone. */
const HTTP_HOSTS = new Set(['localhost', '127.0.0.1']);

/** `https:` anywhere, `http:` on this machine alone; no user, query or fragment; no slash at the end. */
export const BaseUrl = v.pipe(
  v.string(),
  v.trim(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    let url: URL;
    try {
      url = new URL(dataset.value);
    } catch {
      addIssue({ message: 'Give a full address, such as https://api.example.com.' });
      return NEVER;
    }
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && HTTP_HOSTS.has(url.hostname))) {
      addIssue({
        message:
          'Use https; http is allowed on this machine (localhost or 127.0.0.1) alone, because the token is sent to this address.',
      });
      return NEVER;
    }
    if (url.username || url.password || url.search || url.hash) {
      addIssue({ message: 'Leave out user names, passwords, ? and #: only scheme, host, port and path belong here.' });
      return NEVER;
    }
    // These three mean something else in the rule that adds the token to one address.
    if (/[*^|]/.test(url.pathname)) {
      addIssue({ message: 'The path of a base URL has no *, ^ or |.' });
      return NEVER;
    }
    return url.href.replace(/\/+$/, '');
  }),
);

/** What a person fills in; `token` absent keeps the stored one. */
export const EnvironmentInput = v.object({
  id: v.optional(v.string()),
  name: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('Give the environment a name.'),
    v.maxLength(80, 'Keep the name to 80 characters.'),
  ),
  preset: Preset,
  baseUrl: BaseUrl,
  namespace: v.optional(
    v.pipe(v.string(), v.trim(), v.regex(NAMESPACE, 'A namespace is a JavaScript identifier, such as Platform.')),
    DEFAULT_NAMESPACE,
  ),
  production: v.optional(v.boolean(), false),
  token: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('Paste the token.'),
      v.maxLength(4096, 'A token has at most 4,096 characters.'),
      v.regex(/^[\x21-\x7e]+$/, 'A token has no spaces or control characters.'),
    ),
  ),
});
export type EnvironmentInput = v.InferInput<typeof EnvironmentInput>;
/** The same once parsed: trimmed, with its defaults. */
export type EnvironmentDraft = v.InferOutput<typeof EnvironmentInput>;

/** An environment as every surface sees it. */
export interface Environment {
  id: string;
  name: string;
  preset: Preset;
  baseUrl: string;
  namespace: string;
  production: boolean;
  /** Such as `••••3f9a`; null when no token is stored, or none that can be read. */
  maskedToken: string | null;
  /** Set when the stored token cannot be read any more: what happened, and the next step. */
  problem?: ErrorValue;
}

/** The match pattern of an address' origin, for host permissions; such a pattern has no port. */
export function originPattern(address: string): string {
  const { protocol, hostname } = new URL(address);
  return `${protocol}//${hostname}/*`;
}
