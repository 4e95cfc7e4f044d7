/** What the timeline's rows say: a step's name, what it does, an iteration's item, and why a branch ran. */
import { CONDITION_MARKS } from '../../../../debugging/why/condition-mark.ts';
import { plural, truncate } from '../../../../shared/format.ts';
import type { RemoteValue } from '../../../inspector/contract.ts';
import { isComposite, previewOf, valueAt } from '../../shared/remote-value.ts';
import { shortName } from '../../shared/short-name.ts';
import { conditionWithValues } from '../why/condition-values.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import { conditionOf } from '../step-definition.ts';
import type { Trace, TraceStep } from '../trace.ts';
import { ContextCursor } from './context-cursor.ts';
import { outcomeText } from './outcome-text.ts';
import { settingsSummary } from './settings-text.ts';

/** Properties that name an item, best first. */
const ITEM_NAMES = ['name', 'title', 'label', 'displayName', 'email', 'subject', 'key', 'code', 'id'];
const ITEM_LENGTH = 60;
const CONDITION_LENGTH = 200;

export interface StepText {
  /** The name that the pipeline gives the step, or its function or type. */
  label: string;
  /** Whether the label is the name that the pipeline's author gave the step. */
  isNamed: boolean;
  /** The step's settings on one line, or an `if`'s condition. */
  summary: string;
  /** For an `if` that has ended: its deciding condition with the values that it saw; empty if unknown. */
  decision: string;
  /** For a function that has ended: what it changed or returned; empty if nothing. */
  outcome: string;
}

/** Computes texts on demand, because only visible rows need them. */
export class StepTexts {
  readonly #nodes: ReadonlyMap<string, PipelineNode>;
  readonly #cursor: ContextCursor;
  readonly #texts = new Map<number, { hasEnded: boolean; text: StepText }>();
  readonly #items = new Map<number, string>();

  /** @param nodes the run's pipeline; empty if it's unknown */
  constructor(trace: Trace, nodes: readonly PipelineNode[]) {
    this.#nodes = new Map(nodes.map((node) => [node.path, node]));
    this.#cursor = new ContextCursor(trace);
  }

  of(step: TraceStep): StepText {
    const hasEnded = step.end !== null;
    const known = this.#texts.get(step.id);
    if (known?.hasEnded === hasEnded) return known.text;
    const text = this.#textOf(step);
    this.#texts.set(step.id, { hasEnded, text });
    return text;
  }

  /** The name of an iteration's item, such as its `name` or `id`; empty if it's unknown. */
  itemOf(first: TraceStep): string {
    const known = this.#items.get(first.id);
    if (known !== undefined) return known;
    const context = this.#cursor.before(first);
    const item = context && valueAt(context, ['currentItem']);
    // The row’s mark already has the number of a range.
    const isMark = item?.t === 'number' && item.v === (first.iteration.at(-1) ?? 0) + 1;
    const name = item && !isMark ? itemName(item) : '';
    this.#items.set(first.id, name);
    return name;
  }

  /** Whether the pipeline has a single step in each of the loop's iterations. */
  readonly hasSingleStep = (loopPath: string | null): boolean => {
    const { functions } = sourceOf(this.#nodes.get(loopPath ?? ''));
    return Array.isArray(functions) && functions.length === 1;
  };

  /** Lowercase text that a search finds a step by. */
  searchText(step: TraceStep): string {
    const { label, summary } = this.of(step);
    const item = step.opensIteration ? this.itemOf(step) : '';
    const { errorType = '', errorMessage = '' } = step.error ?? {};
    return [label, step.name, summary, item, errorType, errorMessage.slice(0, 500)].join('\n').toLowerCase();
  }

  #textOf(step: TraceStep): StepText {
    const node = this.#nodes.get(step.path ?? '');
    const name = node?.name ?? null;
    const isNamed = name !== null;
    if (step.kind === 'if') return { label: name ?? 'if', isNamed, outcome: '', ...this.#decision(step, node) };
    if (step.kind === 'loop') {
      const label = node?.kind === 'loop' ? node.label : step.name;
      return { label: name ?? label, isNamed, summary: isNamed ? label : '', decision: '', outcome: '' };
    }
    const summary = settingsSummary(step.name, step.settings, this.#cursor.before(step));
    const label = name ?? shortName(step.name);
    return { label, isNamed, summary, decision: '', outcome: outcomeText(step) };
  }

  #decision(step: TraceStep, node: PipelineNode | undefined): Pick<StepText, 'summary' | 'decision'> {
    const { conditions: blocks } = sourceOf(node);
    const conditions = Array.isArray(blocks) ? blocks.slice(0, 1_000).map(conditionOf) : [];
    const { branch } = step;
    const index = typeof branch === 'number' ? branch : 0;
    const condition = conditions[index];
    const isSole = typeof branch === 'number' || conditions.length === 1;
    const summary = truncate(condition ?? '', CONDITION_LENGTH);
    if (branch === undefined) return { summary, decision: '' };
    if (step.replaced !== undefined) return { summary, decision: replacedText(step.replaced, branch) };
    const took = branchText(branch);
    if (condition === undefined) return { summary, decision: took };
    if (!isSole) return { summary: '', decision: `${took} · ${plural(conditions.length, 'condition')}` };
    const context = this.#cursor.before(step);
    const values = context && conditionWithValues(condition, context, CONDITION_LENGTH);
    if (!values) return { summary, decision: took };
    const isTrue = typeof branch === 'number';
    const mark = CONDITION_MARKS[isTrue ? 'true' : 'false'];
    return { summary, decision: isTrue ? `${mark} ${values}` : `${mark} ${values} · ${took}` };
  }
}

/** A branch that was chosen isn't a match of its condition. */
const replacedText = (by: string, branch: number | 'else' | null): string =>
  branch === null && by !== 'recording' ? 'no branch' : branchText(branch);

/** What is known of an `if` without its conditions. */
export function branchText(branch: number | 'else' | null): string {
  return branch === null ? 'no match' : branch === 'else' ? 'else' : `branch ${branch + 1}`;
}

function sourceOf(node: PipelineNode | undefined): Record<string, unknown> {
  const { source } = node ?? {};
  return typeof source === 'object' && source !== null ? (source as Record<string, unknown>) : {};
}

function itemName(item: RemoteValue): string {
  if (!isComposite(item)) return oneLine(item.t === 'string' ? item.v : previewOf(item, ITEM_LENGTH));
  for (const parent of [[], ['data']])
    for (const name of ITEM_NAMES) {
      if (parent.length === 0 && name === 'id') continue;
      const text = scalarText(valueAt(item, [...parent, name]));
      if (text) return text;
    }
  const id = scalarText(valueAt(item, ['id']));
  return id && `id ${id}`;
}

function scalarText(value: RemoteValue | undefined): string {
  if (value?.t === 'string') return oneLine(value.v);
  return value?.t === 'number' ? String(value.v) : '';
}

const oneLine = (text: string): string =>
  truncate(
    text
      .slice(0, 500)
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
    ITEM_LENGTH,
  );
