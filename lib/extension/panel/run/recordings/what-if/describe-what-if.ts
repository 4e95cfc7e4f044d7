/** Says how a replay with changes ended, and what could be done about it. */
import type { WhatIfEnd, WhatIfRun } from '../../../../../debugging/replay/what-if.ts';
import { inputSentence, inputTexts } from '../../../../../debugging/replay/inputs/input-texts.ts';
import { previewValue } from '../../../../../debugging/why/preview.ts';
import { type Place, placeName } from '../describe-replay.ts';

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

export function describeWhatIf({ end, recording, assumes }: WhatIfRun): WhatIfReport {
  const place = 'path' in end && end.path !== '' ? { path: end.path, iteration: end.iteration } : null;
  return {
    state: end.state,
    text: textOf(end, (at) => placeName(recording, at)),
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

function textOf(end: WhatIfEnd, name: (place: Place) => string): string {
  switch (end.state) {
    case 'completed':
      return end.result === undefined
        ? 'What if: the run would complete.'
        : `What if: the run would complete with ${previewValue(end.result, LENGTH)}.`;
    case 'failed':
      return `What if: the run would fail. ${end.error.message}`;
    case 'stopped':
      return 'What if: the recorded run was stopped here.';
    case 'no-outcome':
      return `What if: no recorded outcome for ${name(end)}. Mock the step, or run the action.`;
    case 'other-input':
      return `What if: unknown from ${name(end)} on. The step would get other input than when it was recorded.`;
    case 'unknown':
      return `What if: couldn’t replay further than ${name(end)}. ${end.cause.message}`;
    case 'misfit':
      return `What if: couldn’t replay further than ${name(end)}. Its recorded change of ${end.pointer} doesn’t fit the context.`;
  }
}
