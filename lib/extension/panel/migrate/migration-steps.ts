/** The steps of a migration, as they’re shown: with their status, and whether the code still has them. */
import type { ProvedStep, Proof, Status, StepReport } from '../../../migrate/index.ts';
import { STATUSES } from '../../../migrate/index.ts';
import type { CodeLinks } from './code-links.ts';

/** `unproved`: no proof has said anything about the step. */
export type ShownStatus = Status | 'unproved';

export interface ShownStep {
  report: StepReport;
  status: ShownStatus;
  /** In how many of the compared runs it ran. Null without a proof. */
  runs: number | null;
  /** Whether the comment with its path was removed from the code. */
  isUnlinked: boolean;
}

/** By path. */
export function shownSteps(
  reports: readonly StepReport[],
  proof: Proof | null,
  links: CodeLinks,
): ReadonlyMap<string, ShownStep> {
  const proved = new Map<string, ProvedStep>(proof?.steps.map((step) => [step.path, step]));
  return new Map(
    reports.map((report) => {
      const { status, runs = null } = proved.get(report.path) ?? {};
      const isUnlinked = report.line !== null && !links.has(report.path);
      return [report.path, { report, status: status ?? statusOfLevel(report.level), runs, isUnlinked }];
    }),
  );
}

/** The form of code says nothing about what it does. */
const statusOfLevel = (level: StepReport['level']): ShownStatus =>
  level === 'idiomatic' || level === 'faithful' ? 'unproved' : level;

/** The worst status, without a proof. */
export function worstStatus(steps: Iterable<ShownStep>): ShownStatus {
  let worst = -1;
  for (const { status } of steps) if (status !== 'unproved') worst = Math.max(worst, STATUSES.indexOf(status));
  return STATUSES[worst] ?? 'unproved';
}

/** The reports with the levels of the code as it is now: a person has written what a migration couldn’t. */
export function stepsOfCode(
  reports: readonly StepReport[],
  generated: { code: string; links: CodeLinks },
  edited: { code: string; links: CodeLinks },
): readonly StepReport[] {
  if (generated.code === edited.code) return reports;
  const [before, now] = [generated, edited].map(({ code, links }) => textsOf(code.split('\n'), links));
  return reports.map((report) => {
    if (report.level !== 'needs-person' && report.level !== 'blocked') return report;
    const text = now?.(report.path) ?? null;
    if (text === null || before?.(report.path) === text) return report;
    return { ...report, level: 'idiomatic', reasons: [...report.reasons, 'A person has written this code.'] };
  });
}

/** The code of a step, without the comment with its path. */
const textsOf = (lines: readonly string[], links: CodeLinks) => (path: string) => {
  const range = links.has(path) ? links.rangeOf(path) : null;
  return range ? lines.slice(range.from, range.to).join('\n') : null;
};
