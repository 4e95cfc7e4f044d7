/** Reads how the pipeline defines a step: its settings, its loop, or its conditions. The pipeline is untrusted. */
import { describeJson } from '../actions/described.ts';
import type { RemoteValue } from '../shared/remote-value.ts';
import type { PipelineNode } from './pipeline-tree.ts';
import type { Trace, TraceStep } from './trace.ts';
import { settingsSummary } from './timeline/settings-text.ts';

/** The longest condition that is shown, in characters. */
const MAX_CONDITION = 2_000;

export type StepDefinition =
  /** `settings` is null if the step has none. */
  | { kind: 'settings'; settings: RemoteValue | null }
  /** The loop's `items` or `range`. */
  | { kind: 'loop'; source: RemoteValue }
  | { kind: 'if'; conditions: string[]; hasElse: boolean }
  /** `condition` is null for `else`. */
  | { kind: 'branch'; condition: string | null };

export function definitionOf(node: PipelineNode): StepDefinition {
  const source = fieldsOf(node.source);
  switch (node.kind) {
    case 'loop':
      return { kind: 'loop', source: describeJson(pick(source, ['items', 'range'])) };
    case 'if': {
      const blocks = Array.isArray(source['conditions']) ? source['conditions'] : [];
      return { kind: 'if', conditions: blocks.map(conditionOf), hasElse: Array.isArray(source['elseFunctions']) };
    }
    case 'branch':
      return { kind: 'branch', condition: node.branch?.index === 'else' ? null : conditionOf(node.source) };
    default: {
      const { settings } = source;
      const isEmpty = settings === undefined || settings === null || Object.keys(settings).length === 0;
      return { kind: 'settings', settings: isEmpty ? null : describeJson(settings) };
    }
  }
}

/** What the pipeline tree says of a step beside its name: a function's settings on one line, or what a named step is. */
export function nodeSummary(node: PipelineNode): string {
  if (node.kind !== 'function') return node.name && node.kind !== 'branch' ? node.label : '';
  const { settings } = fieldsOf(node.source);
  return node.package && settings ? settingsSummary(node.package, describeJson(settings), null) : '';
}

/** The settings that the pipeline defines for a step; null if they're unknown, or if they are what the run recorded. */
export function definedSettings(
  { tracing }: Pick<Trace, 'tracing'>,
  { path, name }: TraceStep,
  nodes: readonly PipelineNode[],
): RemoteValue | null {
  if (tracing === 'observed' || path === null) return null;
  const node = nodes.find((one) => one.path === path && one.package === name);
  return node ? describeJson(fieldsOf(node.source)['settings']) : null;
}

/** A condition block's expression. */
export function conditionOf(block: unknown): string {
  const { condition } = fieldsOf(block);
  return typeof condition === 'string' ? condition.slice(0, MAX_CONDITION) : '(a function)';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function pick(source: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => source[name] !== undefined).map((name) => [name, source[name]]));
}
