/** Modules of the panel that are loaded when they’re first needed. */
import { CodedError } from '../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';

export const NOT_LOADED: ErrorValue = {
  code: 'PART_NOT_LOADED',
  message: 'Couldn’t load this part of the panel: the extension was updated or removed.',
  hint: 'Reload DevTools: close it, then open it again.',
};

/** @throws CodedError `PART_NOT_LOADED` */
export const lateModule = <T>(module: Promise<T>): Promise<T> =>
  module.catch(() => {
    throw new CodedError(NOT_LOADED);
  });
