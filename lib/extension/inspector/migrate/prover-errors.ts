/** What can end a proof before its result. */
import { CodedError } from '../../../platform-api/coded-error.ts';

export const canceled = (): CodedError =>
  new CodedError({ code: 'PROOF_CANCELED', message: 'The proof was canceled.' });

/** A page has one proof at a time. */
export const superseded = (): CodedError =>
  new CodedError({
    code: 'PROOF_SUPERSEDED',
    message: 'Couldn’t finish the proof: another panel has started one in this page.',
    hint: 'Try again when the other one has ended.',
  });

export const navigated = (): CodedError =>
  new CodedError({
    code: 'PAGE_LEFT',
    message: 'Couldn’t finish the proof: the tab has left the page, or reloaded it.',
    hint: 'Try again.',
  });

/** The tab has a page of another app, or of none. */
export const otherPage = (): CodedError =>
  new CodedError({
    code: 'APP_PAGE_MISSING',
    message: 'Couldn’t prove the code: the tab doesn’t have a page of this app. Nothing was sent.',
    hint: 'Open the debug page of the action, then try again.',
  });

/** @param seconds without a result */
export const silent = (seconds: number): CodedError =>
  new CodedError({
    code: 'PROOF_TOO_SLOW',
    message: `Couldn’t finish the proof: the page sent no result for ${seconds} seconds.`,
    hint: 'Reload the page, then try again. Check if the code changes built-ins of JavaScript.',
  });

export const notEnding = (): CodedError =>
  new CodedError({
    code: 'PAGE_BUSY',
    message: 'The page isn’t responding: the code may have a loop that never ends, or the page is paused.',
    hint: 'Reload the page, and check the loops of the code. If the page is paused, resume it.',
  });

/** @param names separated by spaces, as far as the page says them */
export function replacedBuiltIns(names: string): CodedError {
  const examples = names === '' ? '' : `, such as ${names.slice(0, 200).split(' ').slice(0, 3).join(', ')}`;
  return new CodedError({
    code: 'BUILT_INS_REPLACED',
    message: `Couldn’t prove the code in this page: the page has replaced built-ins of JavaScript${examples}.`,
    hint: 'Open the debug page of the action, then try again.',
  });
}

export const failed = (reason: string): CodedError =>
  new CodedError({
    code: 'PAGE_EXCEPTION',
    message: `Couldn’t finish the proof: ${reason.slice(0, 500)}`,
    hint: 'Correct the code, or reload the page. Then try again.',
  });

export const recordingTooLarge = (limit: number): CodedError =>
  new CodedError({
    code: 'TEXT_TOO_LARGE',
    message: `A recording is limited to ${limit.toLocaleString('en')} characters. This one has more.`,
    hint: 'Choose a shorter run.',
  });
