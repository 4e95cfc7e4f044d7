/** Describes mocks on one line, for lists, rows, and menus. */
import { OUTGOING_PACKAGES } from '../../../../debugging/mocks/dry-run.ts';
import type { Mock } from '../../../../debugging/mocks/types.ts';
import { formatDuration, plural, truncate } from '../../../../shared/format.ts';
import { shortName } from '../../shared/short-name.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import { nodeSummary } from '../step-definition.ts';

const VALUE_LENGTH = 60;

/** The path of a step, or the name of a package. */
export const targetOf = ({ target }: Mock): string => ('path' in target ? target.path : target.package);

/** What a mock stands in for: a step by its name, or every step with a package. */
export function targetText({ target }: Mock, nodes: readonly PipelineNode[]): string {
  if ('package' in target) return `every ${shortName(target.package)}`;
  const node = nodes.find(({ path }) => path === target.path);
  return node ? `${nodeName(node)} ${target.path}` : target.path;
}

const nodeName = ({ name, package: of, label }: PipelineNode): string => name ?? (of ? shortName(of) : label);

/** What a mock does, such as `returns {"sent": true}, after 500 ms`. */
export function outcomeText({ outcome, delay, changes = [] }: Mock): string {
  const parts = [
    outcomePart(outcome),
    delay ? `after ${formatDuration(delay)}` : '',
    changes.length > 0 ? plural(changes.length, 'context change') : '',
  ];
  return parts.filter(Boolean).join(', ');
}

function outcomePart(outcome: Mock['outcome']): string {
  if (!outcome) return 'runs';
  if ('skip' in outcome) return 'is skipped';
  if ('error' in outcome) return `fails: ${truncate(outcome.error.message, VALUE_LENGTH)}`;
  return outcome.value === undefined
    ? 'returns nothing'
    : `returns ${truncate(JSON.stringify(outcome.value), VALUE_LENGTH)}`;
}

/** What a mock can be for: each package of the pipeline, and each step. */
export function targetOptions(nodes: readonly PipelineNode[]): { value: string; label: string; hint: string }[] {
  const packages = [...new Set([...nodes.flatMap((node) => node.package ?? []), ...OUTGOING_PACKAGES])];
  const steps = nodes.filter(({ kind }) => kind !== 'branch' && kind !== 'unknown');
  return [
    ...steps.map((node) => ({ value: node.path, label: `${nodeName(node)} ${node.path}`, hint: nodeSummary(node) })),
    ...packages.map((name) => ({ value: name, label: `every ${shortName(name)}`, hint: name })),
  ];
}
