/** Error codes of requests that the extension sends to a platform. */
import type { ErrorText } from './error-text.ts';

export const REST_ERRORS: Record<string, ErrorText> = {
  REQUEST_REFUSED: {
    meaning: 'The platform rejected the request as malformed.',
    fix: 'Check that the base URL points to the platform’s API.',
  },
  TOKEN_REFUSED: {
    meaning: 'The platform doesn’t accept the token (status 401).',
    fix: 'Enter a valid token for this environment. This one may be expired, revoked, or from another one.',
  },
  LOGIN_REQUIRED: {
    meaning: 'The platform, or a server in front of it, asks for a login, such as HTTP Basic.',
    fix: 'Check the token. If a server in front of the platform asks, enter a base URL that requires only the token.',
  },
  ACCESS_DENIED: {
    meaning: 'The platform refused the request (status 403).',
    fix: 'Check what the token permits, and ask your organization’s administrator for access. A firewall can refuse, too.',
  },
  NOT_FOUND: {
    meaning: 'Nothing was found at this URL (status 404), or the token has no access to it.',
    fix: 'Check the app, the action, and the base URL.',
  },
  ENDPOINT_MISSING: {
    meaning: 'The platform responded to a request beyond the specified REST API as if it didn’t exist.',
    fix: 'Open a page of the app to use the Actions tab. “Test connection” on the options page checks the platform again.',
  },
  CONFLICT: {
    meaning: 'The request conflicts with the current state on the platform.',
    fix: 'Refresh, check the current state, then try again.',
  },
  REQUEST_TOO_LARGE: { meaning: 'The request exceeds the platform’s size limit.', fix: 'Send less data.' },
  DATA_TOO_LARGE: {
    meaning: 'The data sources of the app are full. Nothing was stored.',
    fix: 'Write less data, or ask the platform’s operator for a higher limit.',
  },
  QUEUE_FULL: {
    meaning: 'The app has too many waiting runs. The run wasn’t queued.',
    fix: 'Try again when some of them have started.',
  },
  REQUEST_INVALID: {
    meaning: 'The platform found invalid values in the request.',
    fix: 'Correct the listed values and try again.',
  },
  RATE_LIMITED: { meaning: 'The platform received too many requests.', fix: 'Wait a moment and try again.' },
  PLATFORM_UNAVAILABLE: { meaning: 'The platform is unavailable (status 503).', fix: 'Wait a moment and try again.' },
  PLATFORM_FAILED: {
    meaning: 'The platform, or a gateway before it, failed with a server error.',
    fix: 'Try again. If the error persists, contact the platform’s operator.',
  },
  STATUS_UNEXPECTED: {
    meaning: 'The platform responded with an unexpected status.',
    fix: 'Check that the base URL points to the platform’s API.',
  },
  BASE_URL_WRONG: {
    meaning: 'The base URL has no API. A connection test found nothing at its `/v1/apps`.',
    fix: 'Enter the part of the API’s URL before `/v1`.',
  },
  HTTP_NEEDED: {
    meaning: 'The browser couldn’t connect to this computer with https, and a server responds to http on that port.',
    fix: 'Enter the base URL with http if it’s the local platform. Otherwise, check its certificate.',
  },
  OFFLINE: {
    meaning: 'A request failed, and the browser reports no network.',
    fix: 'Connect to a network and try again.',
  },
  PLATFORM_UNREACHABLE: {
    meaning: 'The platform can’t be reached. The command line says why: DNS, a proxy, a certificate, or the server.',
    fix:
      'Check the base URL and the network, and make sure that the platform is running. For the command line, set ' +
      '`HTTPS_PROXY` behind a proxy, and `NODE_EXTRA_CA_CERTS` for certificates of your organization.',
  },
  PLATFORM_SLOW: { meaning: 'The platform didn’t respond in time.', fix: 'Try again.' },
  CHANGE_NOT_SENT: {
    meaning: 'The browser couldn’t send the change. Nothing was sent.',
    fix: 'Try again. If the error persists, restart the browser.',
  },
  ABORTED: { meaning: 'The request was canceled.', fix: 'Try again if you still need it.' },
  ANSWER_REDIRECTED: {
    meaning: 'The platform redirected the request. The token wasn’t sent to the new URL.',
    fix: 'Enter the new URL as the base URL if you trust it.',
  },
  ANSWER_HTML: {
    meaning: 'The platform responded with a web page instead of data.',
    fix: 'Check that the base URL points to the platform’s API, not its website.',
  },
  ANSWER_NOT_HTML: {
    meaning: 'The platform responded with something other than a web page.',
    fix: 'Check that the base URL points to the platform’s API.',
  },
  ANSWER_NOT_JSON: {
    meaning: 'The response isn’t JSON.',
    fix: 'Check that the base URL points to the platform’s API.',
  },
  ANSWER_EMPTY: {
    meaning: 'The response is empty.',
    fix: 'Try again. If the error persists, check for a proxy between you and the platform.',
  },
  ANSWER_CUT_OFF: {
    meaning: 'The response ended early.',
    fix: 'Try again. If the error persists, check for a proxy between you and the platform.',
  },
  ANSWER_TOO_LARGE: {
    meaning: 'The response is larger than the limit.',
    fix: 'Narrow the request, for example with a filter.',
  },
  ANSWER_INVALID: {
    meaning: 'The response doesn’t match the specification.',
    fix: 'Check that the base URL points to a platform with the /v1 API.',
  },
  ACTION_FAILED: { meaning: 'The action failed.', fix: 'Check the trace, or run the action on the Run tab.' },
  TIMEOUT: { meaning: 'The action reached the time limit and was stopped.', fix: 'Split the work into several runs.' },
  RESULT_TOO_LARGE: { meaning: 'The action’s result exceeds the size limit.', fix: 'Return less data.' },
  MOCKS_UNSUPPORTED: {
    meaning: 'The platform doesn’t support mocks, so nothing ran.',
    fix: 'Update the local platform, or run on a debug page with “Our engine”.',
  },
  RELEASE_INVALID: {
    meaning: 'The release’s type is invalid, or its release notes are missing.',
    fix: 'Correct the release and publish again.',
  },
  OUTCOME_UNKNOWN: {
    meaning: 'The request may or may not have been carried out.',
    fix: 'Check the current state on the platform before you try again.',
  },
};
