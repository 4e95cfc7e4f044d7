/** Says how a replay with changes ended, and what could be done about it. */
import type { WhatIfEnd, WhatIfRun } from '../../../../../debugging/replay/what-if.ts';
import { inputSentence, inputTexts } from '../../../../../debugging/replay/inputs/input-texts.ts';
import { previewValue } from '../../../../../debugging/why/preview.ts';
import type { Recording } from '../../../../../debugging/recording/format.ts';
import { type Place, placeName, recordedEndText } from '../describe-replay.ts';

export interface WhatIfReport {
  state: WhatIfEnd['state'];
  text: string;
  /** Why the recorded outcome of a call doesn’t count, and what the replay takes for granted. */
  note: string | null;
  place: Place | null;
  /** The package of a call without a recorded outcome that counts. A mock can give it one. */
  mockable: string | null;
}

/** Maximum characters of a result. */
const LENGTH = 100;

/** @param recorded the run that was replayed */
export function describeWhatIf({ end, recording, assumes }: WhatIfRun, recorded: Recording): WhatIfReport {
  const place = 'path' in end && end.path !== '' ? { path: end.path, iteration: end.iteration } : null;
  return {
    state: end.state,
    text: `What if: ${textOf(end, recording, recorded)}`,
    note: [...(end.state === 'other-input' ? [inputText(end)] : []), ...assumes].join(' ') || null,
    place,
    mockable: end.state === 'no-outcome' || end.state === 'other-input' ? end.package : null,
  };
}

/** The whole context is compared only if nobody knows which parts of it matter. */
function inputText({ difference }: Extract<WhatIfEnd, { state: 'other-input' }>): string {
  const reads = difference.of === 'context' ? ' Which parts of the context the function reads isn’t known.' : '';
  return `${inputSentence(inputTexts(difference))}${reads}`;
}

function textOf(end: WhatIfEnd, recording: Recording, recorded: Recording): string {
  const name = (at: Place): string => placeName(recording, at);
  const engine = recorded.engine === 'ours' ? '' : ' in our engine,';
  const run = `${engine} with the recorded outcomes, the run`.trimStart();
  switch (end.state) {
    case 'completed':
      return `${run} completes${end.result === undefined ? '' : ` with ${previewValue(end.result, LENGTH)}`}.`;
    case 'failed':
      return `${run} fails${isMocked(end, recording) ? ' because of a mock' : ''}. ${end.error.message}`;
    case 'stopped':
      return lowerFirst(recordedEndText(recorded));
    case 'no-outcome':
      return `no recorded outcome for ${name(end)}. Mock the step, or run the action.`;
    case 'other-input':
      return `unknown from ${name(end)} on. The step would get other input than when it was recorded.`;
    case 'unknown':
      return `couldn’t replay further than ${name(end)}. ${end.cause.message}`;
    case 'misfit':
      return `couldn’t replay further than ${name(end)}. Its recorded change of ${end.pointer} doesn’t fit the context.`;
  }
}

const isMocked = ({ error }: Extract<WhatIfEnd, { state: 'failed' }>, { steps }: Recording): boolean =>
  steps.some(({ path, state, replaced }) => path === error.path && state === 'failed' && replaced === 'mock');

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
