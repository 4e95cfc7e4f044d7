/** Parses the settings of an environment that decide where requests go: its URLs and its namespace. */
import * as v from 'valibot';
import { cleanUrl } from './runs/pasted-url.ts';

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
    v.transform(cleanUrl),
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
      let { href } = url;
      while (href.endsWith('/')) href = href.slice(0, -1);
      return href;
    }),
  );

/** Also of a length that earlier versions stored. */
export const StoredBaseUrl = webUrl(', because the token is sent to this URL');
export const StoredPageUrl = webUrl();

const URL_LIMIT = v.maxLength<string, 2048, string>(2048, 'A URL is limited to 2,048 characters.');
export const BaseUrl = v.pipe(StoredBaseUrl, URL_LIMIT);
export const PageUrl = v.pipe(StoredPageUrl, URL_LIMIT);

export const Namespace = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(80, 'A namespace is limited to 80 characters.'),
  v.regex(/^[A-Za-z_$][\w$]*$/, 'A namespace must be a JavaScript identifier, such as Platform.'),
);
