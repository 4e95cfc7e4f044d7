/** Owns how a failed run is told: what was thrown, and what to do next. */
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { RemoteError } from '../../inspector/contract.ts';
import { truncate } from '../../../shared/format.ts';

const NEXT: Record<string, string> = {
  PIPELINE_INVALID: 'Mend the pipeline at that place; nothing has run.',
  PAYLOAD_INVALID: 'Mend the payload; nothing has run.',
  LOOP_ITEMS_INVALID: 'Look at the context before the marked step: the loop’s items must be a list there.',
  CONDITION_FAILED: 'Look at the context before the marked step: something that the condition reads is missing there.',
  RUN_LOST: 'What was told until then is kept. Run it again.',
};

/** The error as it is shown; text of the page is cut, never interpreted. */
export function runErrorValue(error: RemoteError): ErrorValue {
  const code = error.code ?? 'RUN_FAILED';
  const type =
    error.errorType && error.errorType !== 'Error' && code !== 'RUN_LOST' ? `${truncate(error.errorType, 80)}: ` : '';
  return {
    code: truncate(code, 60),
    message: truncate(`${type}${error.errorMessage || 'The run failed without saying why.'}`, 2000),
    hint:
      (Object.hasOwn(NEXT, code) ? NEXT[code] : undefined) ??
      (error.path === null
        ? 'Look at its trace, and at the console.'
        : 'The marked step threw it: look at its context and settings, or open its source.'),
  };
}
