/** Puts statuses, proofs, and differences into words. */
import type { Difference, Level } from '../../../migrate/index.ts';
import { plural, truncate } from '../../../shared/format.ts';
import type { ShownStatus } from './migration-steps.ts';
import type { ProofProgress, Proved } from './proving.ts';

export interface StatusText {
  label: string;
  icon: string;
  tone: 'plain' | 'success' | 'warning' | 'danger';
  explanation: string;
}

export const STATUS_TEXTS: Record<ShownStatus, StatusText> = {
  proved: {
    label: 'Proved',
    icon: '✓',
    tone: 'success',
    explanation: 'All compared runs did the same in V3. Each branch ran, at least with a generated payload.',
  },
  'equal-so-far': {
    label: 'Equal so far',
    icon: '≈',
    tone: 'plain',
    explanation: 'No run has shown a difference. Runs of some branches or values are missing.',
  },
  faithful: {
    label: 'Faithful',
    icon: '◆',
    tone: 'plain',
    explanation:
      'Written to keep what V2 does, in a form that you might not write. No compared run has shown a difference.',
  },
  'needs-person': {
    label: 'Needs a person',
    icon: '!',
    tone: 'warning',
    explanation: 'The code throws here until you decide. Edit it, then prove again.',
  },
  blocked: {
    label: 'Blocked',
    icon: '⊘',
    tone: 'warning',
    explanation: 'V3 has nothing that does this. Write it in another way, then prove again.',
  },
  differs: {
    label: 'Differs',
    icon: '≠',
    tone: 'danger',
    explanation: 'A run did something else in V3. See what, and correct the code or accept it.',
  },
  unproved: {
    label: 'Not proved',
    icon: '·',
    tone: 'plain',
    explanation: 'The code as it is now hasn’t been compared.',
  },
};

export const LEVEL_TEXTS: Record<Level, string> = {
  idiomatic: 'Written as a developer would write it',
  faithful: 'Written to keep what V2 does',
  'needs-person': 'A person must decide',
  blocked: 'Can’t be translated',
};

const WHAT: Record<Difference['what'], string> = {
  order: 'Another step ran',
  call: 'Another call was made',
  context: 'The step sees another value',
  result: 'The result is different',
  failure: 'The run ends differently',
  code: 'The code can’t be loaded',
};

export function differenceText({ what, place, iteration }: Difference): string {
  const items = iteration.length > 0 ? `, iteration ${iteration.map((index) => index + 1).join(' › ')}` : '';
  return `${WHAT[what]}${place === undefined ? '' : ` at ${truncate(place, 200)}`}${items}`;
}

/** A value of either side. What JSON doesn’t have stays visible. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'undefined';
  try {
    return truncate(JSON.stringify(value, null, 2) ?? String(value), 20_000);
  } catch {
    return 'a value that can’t be shown';
  }
}

/** In which runs a block ran. */
export const ranText = (runs: number, generated: number): string =>
  runs > 0 ? plural(runs, 'run') : generated > 0 ? 'only generated' : 'never ran';

export const progressText = ({ what, done, total }: ProofProgress): string => {
  const doing = what === 'runs' ? 'Comparing runs…' : 'Looking for mistakes that no run would find…';
  return total === 0 ? doing : `${doing} ${done} of ${total}`;
};

/** What was compared, as short sentences. */
export function comparedText({ proof: { comparisons, coverage, aside } }: Proved, asideCount: number): string {
  const count = comparisons.length - aside.length;
  const compared = count === 0 ? 'No recorded run could be compared.' : `${plural(count, 'recorded run')} compared.`;
  const put = asideCount > 0 ? `${plural(asideCount, 'run')} left out.` : '';
  return [compared, put, coverage.replace(/(?<=\. )\p{Ll}/u, (letter) => letter.toUpperCase())]
    .filter(Boolean)
    .join(' ');
}

export function strengthText({ caught, total }: { caught: number; total: number }): string {
  if (total === 0) return 'No wrong versions were tried: the code has none of the parts that are varied.';
  return `The runs would find ${caught} of ${total} tried mistakes (${Math.floor((100 * caught) / total)}%).`;
}
