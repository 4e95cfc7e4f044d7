/** Masks tokens before an action is migrated, so that no file with its code has one, and says where they were. */
import { type ProvedReport, type Status, STATUSES } from '../../migrate/index.ts';
import { MASK } from '../../shared/secrets/known-secrets.ts';
import type { Tokens } from '../command/output.ts';
import type { Job, ReadJob } from './types.ts';

export function maskedJob({ action, recordings, sources, dataSources }: ReadJob, tokens: Tokens): Job {
  const named = <T>(all: ReadonlyMap<string, T>): Map<string, T> => new Map(tokens.masked([...all]));
  const masked = tokens.placesIn(action);
  // The code can have these, too.
  if (tokens.placesIn([...sources.values()]).length > 0) masked.push('');
  return {
    action: tokens.masked(action),
    recordings: tokens.masked(recordings),
    sources: named(sources),
    dataSources: named(dataSources),
    masked,
  };
}

const REASON = `A token is written as ${MASK} here. Replace it.`;

/** Only a person knows what the code should have instead of a token. */
export function withMasked(report: ProvedReport, masked: readonly string[], code: string): ProvedReport {
  if (masked.length === 0 || !code.includes(MASK)) return report;
  const paths = new Set(masked.map((place) => stepOf(report.steps, place)));
  const steps = report.steps.map((step) =>
    paths.has(step.path)
      ? { ...step, reasons: [...step.reasons, REASON], status: worse(step.status, 'needs-person') }
      : step,
  );
  const notes = paths.has(null) ? [...report.notes, REASON] : report.notes;
  return { ...report, steps, notes, status: worse(report.status, 'needs-person') };
}

/** The path of the innermost step around a place in the action. Null outside of steps. */
function stepOf(steps: readonly { path: string }[], place: string): string | null {
  const at = /^\/functions(\/.*)$/.exec(place)?.[1];
  const around = steps.map(({ path }) => path).filter((path) => path !== '' && at?.startsWith(`${path}/`));
  return around.toSorted((one, other) => other.length - one.length)[0] ?? null;
}

const worse = (one: Status, other: Status): Status => (STATUSES.indexOf(one) > STATUSES.indexOf(other) ? one : other);
