/** Says how a replay with changes ended, and what could be done about it. */
import type { WhatIfEnd, WhatIfRun } from '../../../../../debugging/replay/what-if.ts';
import { previewValue } from '../../../../../debugging/why/preview.ts';
import { plural } from '../../../../../shared/format.ts';
import { type Place, placeName } from '../describe-replay.ts';

export interface WhatIfReport {
  state: WhatIfEnd['state'];
  text: string;
  /** Steps whose settings have changed, but not their recorded outcomes. */
  note: string | null;
  place: Place | null;
  /** The package of a call without a recorded outcome, which a mock can give it. */
  mockable: string | null;
}

/** Maximum characters of a result. */
const LENGTH = 100;

export function describeWhatIf({ end, recording, outdated }: WhatIfRun): WhatIfReport {
  const place = 'path' in end && end.path !== '' ? { path: end.path, iteration: end.iteration } : null;
  return {
    state: end.state,
    text: textOf(end, (at) => placeName(recording, at)),
    note:
      outdated.length === 0
        ? null
        : `${plural(outdated.length, 'step has', 'steps have')} changed settings, but the recorded outcome.`,
    place,
    mockable: end.state === 'no-outcome' ? end.package : null,
  };
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
    case 'unknown':
      return `What if: couldn’t replay further than ${name(end)}. ${end.cause.message}`;
    case 'misfit':
      return `What if: couldn’t replay further than ${name(end)}. Its recorded change of ${end.pointer} doesn’t fit the context.`;
  }
}
