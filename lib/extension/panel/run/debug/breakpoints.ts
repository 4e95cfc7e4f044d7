/** The breakpoints of the page's action, by step. */
import { computed, signal } from '@preact/signals';
import { type BreakpointProblem, checkBreakpoint } from '../../../../debugging/stepper/breakpoints.ts';
import type { Breakpoint, HitRule } from '../../../../debugging/stepper/types.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import type { StepBreakpoint } from './debug-data.ts';
import type { DebugSettings } from './debug-settings.ts';
import { isStep, stepFields } from './match-breakpoints.ts';

export type BreakpointKind = 'plain' | 'condition' | 'log';

/** What the editor of a breakpoint has. */
export interface BreakpointDraft {
  path: string;
  label: string;
  kind: 'pause' | 'log';
  condition: string;
  /** As typed. */
  hits: string;
  log: string;
  /** Whether the step already has a breakpoint. */
  isNew: boolean;
}

export class Breakpoints {
  readonly #settings: DebugSettings;
  readonly byPath = computed(
    (): ReadonlyMap<string, StepBreakpoint> =>
      new Map(this.#settings.data.value.breakpoints.map((breakpoint) => [breakpoint.path, breakpoint])),
  );
  readonly gone = computed(() => this.#settings.data.value.gone);
  /** The breakpoint that is being edited. */
  readonly draft = signal<BreakpointDraft | null>(null);
  /** What's wrong with it; null if nothing is. */
  readonly problem = computed((): BreakpointProblem | null => this.draft.value && problemOf(this.draft.value));

  constructor(settings: DebugSettings) {
    this.#settings = settings;
  }

  toggle(node: PipelineNode): void {
    if (!isStep(node)) return;
    if (this.byPath.peek().has(node.path)) this.remove(node.path);
    else this.#put({ ...stepFields(node) });
  }

  remove(path: string): void {
    this.#settings.change((data) => ({ ...data, breakpoints: data.breakpoints.filter((one) => one.path !== path) }));
  }

  removeGone(breakpoint: StepBreakpoint): void {
    this.#settings.change((data) => ({ ...data, gone: data.gone.filter((one) => one !== breakpoint) }));
  }

  readonly removeAll = (): void => {
    this.#settings.change((data) => ({ ...data, breakpoints: [], gone: [] }));
  };

  /** Turns one breakpoint on or off, or all of them. */
  setOff(isOff: boolean, path?: string): void {
    this.#settings.change((data) => ({
      ...data,
      breakpoints: data.breakpoints.map((one) =>
        path === undefined || one.path === path ? { ...one, isOff: isOff || undefined } : one,
      ),
    }));
  }

  /** @param kind of a new breakpoint, or what to change an existing one to */
  edit(node: PipelineNode, kind?: BreakpointDraft['kind']): void {
    if (!isStep(node)) return;
    const { path, label } = stepFields(node);
    const { condition = '', log, ...hits } = this.byPath.peek().get(path) ?? {};
    this.draft.value = {
      path,
      label,
      kind: kind ?? (log === undefined ? 'pause' : 'log'),
      condition,
      hits: hitsText(hits),
      log: log ?? '',
      isNew: !this.byPath.peek().has(path),
    };
  }

  change(change: Partial<BreakpointDraft>): void {
    const draft = this.draft.peek();
    if (draft) this.draft.value = { ...draft, ...change };
  }

  readonly discard = (): void => {
    this.draft.value = null;
  };

  /** Does nothing while the draft has a problem. */
  save(node: PipelineNode): void {
    const draft = this.draft.peek();
    if (!draft || this.problem.peek() || draft.path !== node.path) return;
    const { isOff } = this.byPath.peek().get(node.path) ?? {};
    this.#put({ ...stepFields(node), ...fieldsOf(draft), ...(isOff && { isOff }) });
    this.draft.value = null;
  }

  #put(breakpoint: StepBreakpoint): void {
    this.#settings.change((data) => ({
      ...data,
      breakpoints: [...data.breakpoints.filter(({ path }) => path !== breakpoint.path), breakpoint],
    }));
  }
}

/** Blank fields are absent. */
function fieldsOf({ kind, condition, hits, log }: BreakpointDraft): Omit<Breakpoint, 'path'> {
  return {
    ...(condition.trim() && { condition: condition.trim() }),
    ...(hits.trim() && parseHits(hits)),
    ...(kind === 'log' && { log }),
  };
}

function problemOf(draft: BreakpointDraft): BreakpointProblem | null {
  if (draft.kind === 'log' && draft.log.trim() === '') return { field: 'log', message: 'Enter a message.' };
  return checkBreakpoint({ path: draft.path, ...fieldsOf(draft) });
}

const RULES: Record<HitRule, string> = { at: '=', from: '>=', every: '%' };

/** Such as `>= 3`; empty for each hit. */
export const hitsText = ({ hits, hitRule = 'from' }: Pick<Breakpoint, 'hits' | 'hitRule'>): string =>
  hits === undefined ? '' : `${RULES[hitRule]} ${hits}`;

/** Without a sign, a number is the only hit. The number is NaN if the text isn’t a hit count. */
function parseHits(text: string): Pick<Breakpoint, 'hits' | 'hitRule'> {
  const [, sign = '=', digits = ''] = /^(>=|==?|%)?\s*(\d+)$/.exec(text.trim()) ?? [];
  const hitRule = sign === '%' ? 'every' : sign === '>=' ? 'from' : 'at';
  return { hits: digits === '' ? NaN : Number(digits), hitRule };
}

export function kindOf({ condition, hits, log }: Breakpoint): BreakpointKind {
  if (log !== undefined) return 'log';
  return condition === undefined && hits === undefined ? 'plain' : 'condition';
}

/** What a breakpoint does, such as `Breakpoint, condition currentItem.id == 12, hit count >= 3, off`. */
export function describeBreakpoint(breakpoint: Breakpoint): string {
  const { condition, log, isOff } = breakpoint;
  const hits = hitsText(breakpoint);
  return [
    log === undefined ? 'Breakpoint' : `Logpoint “${log}”`,
    condition !== undefined && `condition ${condition}`,
    hits && `hit count ${hits}`,
    isOff && 'off',
  ]
    .filter(Boolean)
    .join(', ');
}
