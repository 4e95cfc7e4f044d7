/** Shows how the actions were migrated: a table, a summary in words, and the exit code. */
import type { Status } from '../../../migrate/index.ts';
import { fitted, oneLine, table } from '../../command/text.ts';
import type { EffectsReport } from '../effects/types.ts';
import type { MigratedAction } from '../types.ts';

/** By status. */
const EXIT_CODES: Readonly<Record<Status, number>> = {
  proved: 0,
  'equal-so-far': 1,
  faithful: 1,
  'needs-person': 2,
  blocked: 2,
  differs: 3,
};
const ACTION_FAILED = 4;

const STATUS_TEXTS: Readonly<Record<Status, string>> = {
  proved: 'proved',
  'equal-so-far': 'equal so far',
  faithful: 'faithful',
  'needs-person': 'needs a person',
  blocked: 'blocked',
  differs: 'differs',
};

/** The worst of all actions. V2 can’t run an invalid pipeline either, so it’s blocked rather than failed. */
export const exitCodeOf = (actions: readonly MigratedAction[]): number =>
  Math.max(
    0,
    ...actions.map((action) => {
      if ('report' in action) return EXIT_CODES[action.report.status];
      return isBlocked(action) ? EXIT_CODES.blocked : ACTION_FAILED;
    }),
  );

const isBlocked = (action: MigratedAction): boolean => 'error' in action && action.error.code === 'PIPELINE_INVALID';

export function summaryOf(actions: readonly MigratedAction[], out: string): string {
  if (actions.length === 0) return 'The app has no V2 actions.\n';
  const head = ['action', 'status', 'branches', 'mutants caught'];
  const hasEffects = actions.some((action) => 'report' in action && action.report.effects);
  const rows = [hasEffects ? [...head, 'effects'] : head, ...actions.map(rowOf)];
  const notes = actions.flatMap(notesOf).map(oneLine);
  return `${table(rows)}\n${[...notes, ...(notes.length > 0 ? [''] : []), inWords(actions, out)].join('\n')}\n`;
}

const nameOf = ({ name }: MigratedAction): string => fitted(oneLine(name), 60);

function rowOf(action: MigratedAction): string[] {
  const name = nameOf(action);
  if ('error' in action) return [name, isBlocked(action) ? STATUS_TEXTS.blocked : action.error.code, '', ''];
  const { status, proof, strength } = action.report;
  const ran = proof.branches.filter(({ runs, generated = 0 }) => runs + generated > 0).length;
  const branches = proof.branches.length === 0 ? 'none' : `${ran} of ${proof.branches.length}`;
  const cells = [name, STATUS_TEXTS[status], branches, `${strength.caught} of ${strength.total}`];
  return action.report.effects ? [...cells, effectsText(action.report.effects)] : cells;
}

/** Those that differ or aren’t known in any profile. */
function effectsText(effects: readonly EffectsReport[]): string {
  const states = effects.map(({ state }) => state);
  return (['differs', 'unknown'] as const).find((state) => states.includes(state)) ?? 'equal';
}

/** What isn’t in the table: errors, branches that never ran, and differences. */
function notesOf(action: MigratedAction): string[] {
  const name = nameOf(action);
  if ('error' in action) {
    const { code, message, hint } = action.error;
    return [`${name}: ${message}${hint === undefined ? '' : ` ${hint}`} (${code})`];
  }
  const { proof, steps, effects = [] } = action.report;
  const [difference] = [...proof.comparisons, ...(proof.generated ?? [])].flatMap(({ differences }) => differences);
  const missing = proof.branches.some(({ runs }) => runs === 0);
  const open = steps.filter(({ status }) => status === 'blocked' || status === 'needs-person');
  return [
    ...(difference ? [`${name}: V3 differs at ${difference.path || 'the start'} (${difference.what}).`] : []),
    ...effectNotes(name, effects),
    ...open.map(({ path, reasons }) => `${name}: ${path || 'the action'}: ${reasons.join(' ')}`),
    ...(missing ? [`${name}: ${proof.coverage}`] : []),
  ];
}

/** The first difference or reason, since profiles mostly agree. */
function effectNotes(name: string, effects: readonly EffectsReport[]): string[] {
  for (const { profile, state, reason, runs } of effects) {
    const last = runs.at(-1);
    const [difference] = last?.differences ?? [];
    if (difference) {
      const { what, index, place } = difference;
      const number = index === undefined ? '' : ` ${index + 1}`;
      const at = place === '' ? '' : ` at ${place}`;
      const run = `${last?.generated ? 'generated ' : ''}run ${runs.length}`;
      return [`${name}: V3 really differs in ${run} (${profile}): ${what}${number}${at}.`];
    }
    if (state === 'unknown') return [`${name}: its effects aren’t known. ${reason ?? ''}`];
  }
  return [];
}

function inWords(actions: readonly MigratedAction[], out: string): string {
  const counts = new Map<string, number>();
  for (const action of actions) {
    const text = 'report' in action ? STATUS_TEXTS[action.report.status] : isBlocked(action) ? 'blocked' : 'failed';
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const parts = [...Object.values(STATUS_TEXTS), 'failed'].flatMap((text) =>
    counts.has(text) ? [`${counts.get(text)} ${text}`] : [],
  );
  const total = `${actions.length} ${actions.length === 1 ? 'action' : 'actions'}`;
  return `${total}: ${parts.join(', ')}. Nothing was changed on the platform. The files are in ${out}.`;
}
