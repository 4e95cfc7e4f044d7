/** Explains why a run failed: what was thrown, and what to do. */
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { truncate } from '../../../shared/format.ts';
import type { RemoteError } from '../../inspector/contract.ts';

const HINTS = new Map([
  ['PIPELINE_INVALID', 'Fix the pipeline at this path. Nothing has run.'],
  ['PAYLOAD_INVALID', 'Fix the payload. Nothing has run.'],
  ['LOOP_ITEMS_INVALID', 'Check the context before the marked step: the loop’s items must be an array.'],
  ['CONDITION_FAILED', 'Check the context before the marked step: the condition reads a missing value.'],
  ['RUN_LOST', 'Run the action again. Everything recorded before the interruption is saved.'],
]);

/** Text from the page is truncated and never interpreted. */
export function runErrorValue({ code: thrownCode, errorType, errorMessage, path }: RemoteError): ErrorValue {
  const code = thrownCode ?? 'RUN_FAILED';
  const hasType = errorType && errorType !== 'Error' && code !== 'RUN_LOST';
  const type = hasType ? `${truncate(errorType, 80)}: ` : '';
  const defaultHint =
    path === null ? 'Check the trace and the console.' : 'Check the marked step’s context and settings.';
  return {
    code: truncate(code, 60),
    message: truncate(`${type}${errorMessage || 'The run failed without an error message.'}`, 2000),
    hint: HINTS.get(code) ?? defaultHint,
  };
}
