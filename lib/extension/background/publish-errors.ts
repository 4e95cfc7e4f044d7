/** Errors and outcomes of publishing. */
import type { App } from '../../platform-api/index.ts';
import { CodedError, type ErrorValue, toErrorValue } from '../../platform-api/index.ts';
import type { Unreadable } from '../../platform-api/lists/unreadable.ts';
import { formatTime } from '../../shared/format.ts';
import type { PublishOutcome, PublishRecord } from '../messaging/model/publishing.ts';

/** A time that the platform reported, as everywhere else; unchanged if it can’t be parsed. */
export function platformTime(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? text : formatTime(at);
}

/** The error of what happened before the request. */
export function notSent(error: unknown): ErrorValue {
  const value = toErrorValue(error);
  const isSaid = value.message.includes('Nothing was sent.');
  return isSaid ? value : { ...value, message: `${value.message} Nothing was sent.` };
}

export const appMissing = (): CodedError =>
  new CodedError({
    code: 'NOT_FOUND',
    message: 'Couldn’t find the app: the platform doesn’t list it for this token.',
    hint: 'Choose another app.',
  });

export const appUnreadable = ({ item, why }: Unreadable): CodedError =>
  new CodedError({
    code: 'ANSWER_INVALID',
    message: `Couldn’t read ${item} of the app list: ${why}.`,
    hint: 'Check the app on the platform, or choose another one.',
  });

export const appChanged = ({ version, updatedAt }: App): CodedError =>
  new CodedError({
    code: 'APP_CHANGED',
    message: `Couldn’t publish: the app changed at ${platformTime(updatedAt)}${version === null ? '' : ` (version ${version})`}. Nothing was sent.`,
    hint: 'Check the app’s current version, then publish again.',
  });

export const publishMissing = (): CodedError =>
  new CodedError({
    code: 'PUBLISH_GONE',
    message: 'Couldn’t find this update: its record is no longer stored.',
    hint: 'Check the app’s version instead.',
  });

export const environmentMoved = (baseUrl: string): CodedError =>
  new CodedError({
    code: 'ENVIRONMENT_MOVED',
    message: `Couldn’t check the app: the update was sent to ${baseUrl}, and the environment’s base URL has changed.`,
    hint: 'Check the app on that platform.',
  });

export const canceledOutcome = (at: number): PublishOutcome => ({
  state: 'failed',
  at,
  error: { code: 'PUBLISH_CANCELED', message: 'You canceled the update. Nothing was sent.', hint: 'Try again.' },
});

/** Explains why a publish can’t start until `record` is dealt with. */
export function blockedBy({ appName, outcome }: PublishRecord): CodedError {
  if (outcome === null)
    return new CodedError({
      code: 'PUBLISH_UNDER_WAY',
      message: `Couldn’t publish: an update to ${appName} is already being published. Nothing was sent.`,
      hint: 'Check its outcome before you publish again.',
    });
  if (outcome.state === 'published')
    return new CodedError({
      code: 'PUBLISH_UNSEEN',
      message: `Couldn’t publish: another update to ${appName} was published at ${formatTime(outcome.at)}. Nothing was sent.`,
      hint: 'Check that update, then publish again.',
    });
  return new CodedError({
    code: 'PUBLISH_UNSETTLED',
    message: `Couldn’t publish: the outcome of the last update to ${appName} is unknown. Nothing was sent.`,
    hint: 'Check the last update again or dismiss it, then publish.',
  });
}

/** The outcome of a publish whose worker was stopped before it finished. */
export function interruptedOutcome({ sentAt }: PublishRecord): PublishOutcome {
  const at = Date.now();
  if (sentAt === null)
    return {
      state: 'failed',
      at,
      error: {
        code: 'PUBLISH_NOT_SENT',
        message: 'Couldn’t publish the update: the extension stopped. Nothing was sent.',
        hint: 'Try again.',
      },
    };
  return {
    state: 'unknown',
    at,
    error: {
      code: 'OUTCOME_UNKNOWN',
      message:
        'Couldn’t confirm whether the update was published: the extension stopped, or couldn’t store the outcome.',
      hint: 'Check the app’s version before you try again.',
    },
  };
}
