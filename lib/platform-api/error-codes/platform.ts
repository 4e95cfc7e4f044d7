/** Error codes of the local platform’s REST API. */
import type { ErrorText } from './error-text.ts';

export const PLATFORM_ERRORS: Record<string, ErrorText> = {
  MALFORMED: { meaning: 'The request is malformed.', fix: 'Check the request and send it again.' },
  INVALID: {
    meaning: 'Some values in the request are invalid. `details` lists each one.',
    fix: 'Correct the listed values and send the request again.',
  },
  NOT_JSON: {
    meaning: 'The body or its content type isn’t JSON.',
    fix: 'Send JSON with the header Content-Type: application/json.',
  },
  TOO_LARGE: { meaning: 'The body is too large.', fix: 'Send less data at once.' },
  HEADERS_TOO_LARGE: { meaning: 'The headers are too large.', fix: 'Send smaller headers.' },
  REQUEST_TIMEOUT: { meaning: 'The complete request didn’t arrive in time.', fix: 'Try again.' },
  EXPECTATION_FAILED: { meaning: 'The Expect header has an unsupported value.', fix: 'Remove the Expect header.' },
  METHOD_NOT_ALLOWED: {
    meaning: 'The URL doesn’t accept this method.',
    fix: 'Use one of the methods in the Allow header.',
  },
  NOT_FOUND: {
    meaning: 'Nothing exists at this URL, or the token doesn’t have access to it.',
    fix: 'Check the ID, and make sure that the token has access to the app.',
  },
  TOKEN_MISSING: { meaning: 'The request has no token.', fix: 'Send your token in the Auth-token header.' },
  TOKEN_UNKNOWN: {
    meaning: 'The platform doesn’t recognize the token.',
    fix: 'Check that the token is complete and belongs to this platform.',
  },
  TOKEN_EXPIRED: { meaning: 'A page’s token has expired.', fix: 'Open the page again from the extension.' },
  TOKEN_REVOKED: { meaning: 'The token was revoked.', fix: 'Enter a new token.' },
  HOST_NOT_ALLOWED: {
    meaning: 'The request uses a host name that doesn’t belong to this machine.',
    fix: 'Use localhost, or start the platform with --host.',
  },
  ORIGIN_NOT_ALLOWED: {
    meaning: 'The page’s origin isn’t allowed to use this platform.',
    fix: 'Start the platform with --app-origin if the page belongs to one of your apps.',
  },
  TOO_MANY_REQUESTS: {
    meaning: 'Requests with this token exceeded the rate limit.',
    fix: 'Wait a minute and try again.',
  },
  CLIENT_GONE: {
    meaning: 'The client closed the connection before the response was ready.',
    fix: 'Send the request again and keep the connection open.',
  },
  INTERNAL: {
    meaning: 'The platform has a bug.',
    fix: 'Try again, and check the output of the platform for the cause.',
  },
  DATABASE_UNAVAILABLE: {
    meaning: 'The platform can’t reach its database.',
    fix: 'Check that the Postgres server is running.',
  },
  DISK_FULL: {
    meaning: 'The disk of the platform’s database is full, so the change wasn’t stored.',
    fix: 'Free some space on the disk, then try again.',
  },
  DATABASE_DAMAGED: {
    meaning: 'A part of the platform’s database doesn’t match its checksum.',
    fix: 'Restore the data folder from a backup, or start the platform with a new one.',
  },
  CONFLICT: {
    meaning: 'The action has changed since you read it.',
    fix: 'Refresh the action, then repeat your change.',
  },
  NAME_TAKEN: { meaning: 'Another action of the app already has this name.', fix: 'Choose another name.' },
  REVISION_NOT_STORED: {
    meaning: 'The platform doesn’t store this revision of the action: it keeps the last 50, and up to 16 MB.',
    fix: 'List the revisions of the action, and choose one of them.',
  },
  ACTION_INACTIVE: { meaning: 'The action is inactive.', fix: 'Activate the action.' },
  ACTION_UNPUBLISHED: {
    meaning: 'The live app has no published copy of the action under this name.',
    fix: 'Publish the action.',
  },
  ACTION_CLIENT_ONLY: {
    meaning: 'The action runs only on the client.',
    fix: 'Run it from a page of the app, or change its environment.',
  },
  MOCKS_LIVE: {
    meaning: 'Mocks apply only to working copies, and the request would run the published copy.',
    fix: 'Run the working copy, or remove the mocks.',
  },
  MOCKS_UNAVAILABLE: {
    meaning: 'The action has no steps that run on the server, so its mocks would be ignored.',
    fix: 'Remove the mocks, or run the action in a page with “Our engine”.',
  },
  TRIGGER_MISSING: {
    meaning: 'The action has no trigger for this kind of run.',
    fix: 'Add the trigger to the action.',
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The payload exceeds the size limit.',
    fix: 'Send less data, for example an ID to look up.',
  },
  ACTION_FAILED: {
    meaning: 'A step of the action failed. `details` has the trace.',
    fix: 'Check the trace and the action’s log.',
  },
  TIMEOUT: {
    meaning: 'The action ran longer than the time limit and was stopped.',
    fix: 'Split the work into several runs.',
  },
  RESULT_TOO_LARGE: { meaning: 'The action’s result exceeds the size limit.', fix: 'Return less data.' },
  RUN_ENDED: { meaning: 'The run has already ended.', fix: 'Check the action’s log for its outcome.' },
  DEPTH_LIMIT: {
    meaning: 'The chain of runs that started one another is too long.',
    fix: 'Change the action or its trigger so that the action doesn’t start itself.',
  },
  PAGE_ONLY: {
    meaning: 'Only a page of the app can send this request.',
    fix: 'Send the request from a page of the app.',
  },
  APP_UNPUBLISHED: { meaning: 'The app has no live version yet.', fix: 'Publish the app.' },
  IDEMPOTENCY_KEY_USED: {
    meaning: 'The Idempotency-Key was already used for a different request.',
    fix: 'Use a new key for this request.',
  },
  LOG_TYPE_RESERVED: {
    meaning: 'Only the platform can write log records of this type.',
    fix: 'Choose a type of your own, such as visit.started.',
  },
  DATA_TOO_LARGE: {
    meaning: 'The data sources of the app would exceed their limit.',
    fix: 'Write less data, or start the platform with a new data folder.',
  },
  LOGS_REMOVED: {
    meaning: 'The log of the app reached its limit, so its oldest records were removed. The record says how many.',
    fix: 'Export records before they are that old, or start the platform with a higher --log-limit.',
  },
  QUEUE_FULL: {
    meaning: 'The app has as many waiting runs as it may have, so the run wasn’t queued.',
    fix: 'Try again when some of them have started, or start the platform with a higher --queue-limit.',
  },
  EMAIL_NOT_SENT: { meaning: 'The mail server didn’t confirm the email.', fix: 'Check SMTP_URL and the mail server.' },
  CLOCK_IS_REAL: {
    meaning: 'The platform’s clock isn’t virtual, so it can’t be moved.',
    fix: 'Start the platform with --clock.',
  },
  OAUTH_DEMO_OFF: {
    meaning: 'The OAuth2 demo services aren’t running.',
    fix: 'Start the platform without --no-oauth-demo.',
  },
  PROXY_ADDRESS_REFUSED: {
    meaning: 'The proxy doesn’t connect to private IP addresses.',
    fix: 'Start the platform with --allow-private and the host.',
  },
  PROXY_REDIRECT_REFUSED: {
    meaning: 'The service sent a redirect that the proxy doesn’t follow.',
    fix: 'Use the final URL of the service.',
  },
  PROXY_TIMEOUT: { meaning: 'The service didn’t respond in time.', fix: 'Try again later.' },
  PROXY_TOO_LARGE: {
    meaning: 'The request or response exceeds the proxy’s size limit.',
    fix: 'Send or request less data at once.',
  },
  PROXY_UNREACHABLE: {
    meaning: 'The proxy couldn’t get a response from the service.',
    fix: 'Check the URL, and make sure that the service is running.',
  },
};
