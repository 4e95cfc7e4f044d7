/** Checks the names in conditions, logpoints, and watched expressions against the contexts of the run that is shown. */
import { absentNames } from '../../../../debugging/why/absent-names.ts';
import type { Breakpoint } from '../../../../debugging/stepper/types.ts';
import { type Context, expressionsIn } from '../../../../pipeline/index.ts';
import { formatCount, plural, truncate } from '../../../../shared/format.ts';
import type { Runs } from '../runs.ts';
import { ContextCursor } from '../timeline/context-cursor.ts';
import type { Trace, TraceStep } from '../trace.ts';
import { traceContext } from '../why/trace-context.ts';

/** Where an expression is evaluated: at a step, at all steps of a package, or at any step. */
export type NamePlace = { path: string } | { package: string } | 'anywhere';

/** Contexts per check. Those of more steps are a sample. */
const MAX_CONTEXTS = 100;
const MAX_KEPT = 200;
/** Characters of a name. */
const NAME_LENGTH = 80;

interface Contexts {
  contexts: Context[];
  /** Of how many steps they could have been. */
  steps: number;
}

interface Checked {
  trace: Trace;
  length: number;
  contexts: Map<string, Contexts>;
  texts: Map<string, string | null>;
}

export class NameChecks {
  readonly #runs: Pick<Runs, 'shown' | 'version' | 'isOfPage'>;
  #checked: Checked | null = null;

  constructor(runs: Pick<Runs, 'shown' | 'version' | 'isOfPage'>) {
    this.#runs = runs;
  }

  /** Which names the run didn’t have there; null if none, or if nothing is known. */
  ofExpression(source: string, place: NamePlace): string | null {
    void this.#runs.version.value;
    const run = this.#runs.shown.value;
    if (source.trim() === '' || !run || !(run.local || this.#runs.isOfPage(run.record))) return null;
    const checked = this.#checkedOf(run.trace);
    const key = `${JSON.stringify(place)} ${source}`;
    const known = checked.texts.get(key);
    if (known !== undefined) return known;
    if (checked.texts.size >= MAX_KEPT) checked.texts.clear();
    const text = describe(source, contextsOf(checked, place), place, run.record.number);
    checked.texts.set(key, text);
    return text;
  }

  ofBreakpoint({ path, condition = '', log = '' }: Breakpoint): string | null {
    return this.ofExpression(condition, { path }) ?? this.ofLog(log, path);
  }

  ofLog(log: string, path: string): string | null {
    return expressionsIn(log).reduce<string | null>(
      (found, source) => found ?? this.ofExpression(source, { path }),
      null,
    );
  }

  /** @param target a step’s path, or a package */
  ofMock(condition: string, target: string): string | null {
    return this.ofExpression(condition, target.startsWith('/') ? { path: target } : { package: target });
  }

  #checkedOf(trace: Trace): Checked {
    const { length } = trace.order;
    if (this.#checked?.trace !== trace || this.#checked.length !== length)
      this.#checked = { trace, length, contexts: new Map(), texts: new Map() };
    return this.#checked;
  }
}

function contextsOf({ trace, contexts }: Checked, place: NamePlace): Contexts {
  const key = JSON.stringify(place);
  const known = contexts.get(key);
  if (known) return known;
  const steps = trace.order.filter((step) => isAt(step, place));
  const cursor = new ContextCursor(trace);
  const checked = sample(steps).flatMap((step) => {
    const context = cursor.before(step);
    return context ? [traceContext(context)] : [];
  });
  const found = { contexts: checked, steps: steps.length };
  contexts.set(key, found);
  return found;
}

function isAt({ path, kind, name }: TraceStep, place: NamePlace): boolean {
  if (place === 'anywhere') return true;
  return 'path' in place ? path === place.path : kind === 'function' && name === place.package;
}

/** Evenly. */
function sample<T>(items: readonly T[]): T[] {
  const every = Math.max(1, items.length / MAX_CONTEXTS);
  return Array.from({ length: Math.min(items.length, MAX_CONTEXTS) }, (_, nth) => items[Math.floor(nth * every)]!);
}

function describe(source: string, { contexts, steps }: Contexts, place: NamePlace, number: number): string | null {
  const run = number ? `run ${number}` : 'this run';
  const texts = absentNames(source, contexts).map(({ text, suggestion, times }) => {
    const isWhole = contexts.length === steps;
    const checked = `${formatCount(times)} of ${formatCount(contexts.length)} checked`;
    const count = isWhole ? `${formatCount(times)} times` : `${checked} times`;
    const where =
      place === 'anywhere'
        ? `at ${isWhole ? plural(times, 'step') : `${checked} steps`} of ${run}`
        : `here in ${run}${isWhole && times === 1 ? '' : `, ${count}`}`;
    const meant = suggestion === undefined ? '' : ` Did you mean “${truncate(suggestion, NAME_LENGTH)}”?`;
    return `${truncate(text, NAME_LENGTH)} was undefined ${where}.${meant}`;
  });
  return texts.length > 0 ? texts.join(' ') : null;
}
