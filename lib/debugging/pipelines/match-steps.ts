/**
 * Finds the steps of a pipeline in an earlier version of it. A step that moved is found by its content. What a step was
 * before never becomes two steps.
 */
import { Contents, type ListedStep, listSteps, withNested } from './steps.ts';
import { alignBy } from './align.ts';

/** The old path of each step that was already there, by its new path. */
export function matchSteps(oldPipeline: unknown, newPipeline: unknown): Map<string, string> {
  const contents = new Contents();
  const matches = matchListed(listSteps(oldPipeline, contents), listSteps(newPipeline, contents));
  return new Map([...matches].map(([now, old]) => [now.path, old.path]));
}

/** The old step of each new one. Both lists must have the same `Contents`. */
export function matchListed(old: readonly ListedStep[], now: readonly ListedStep[]): Map<ListedStep, ListedStep> {
  return new Matcher(old, now).matches;
}

type Steps = readonly ListedStep[];
/** What is equal in two steps that are matched. */
type Key = (step: ListedStep) => number | string;

const whole: Key = ({ whole }) => whole;
const own: Key = ({ own }) => own;
const kind: Key = ({ kind, name }) => `${kind} ${name}`;
const place: Key = ({ kind, name, path }) => `${kind} ${name} ${path}`;

class Matcher {
  /** The old step of each new one. */
  readonly matches = new Map<ListedStep, ListedStep>();
  readonly #old: Unmatched;
  readonly #now: Unmatched;
  /** Lists that belong together: the outermost ones, and those of matched steps. */
  readonly #lists: [old: Steps, now: Steps][] = [];

  constructor(old: Steps, now: Steps) {
    this.#old = new Unmatched(old);
    this.#now = new Unmatched(now);
    this.#matchLists(old, now);
    // The same content elsewhere precedes the same path, which precedes similar content elsewhere.
    for (const key of [whole, place, own]) this.#match(this.#old.steps, this.#now.steps, key);
    for (const [before, after] of this.#lists) this.#match(before, after, kind);
  }

  #matchLists(old: Steps, now: Steps): void {
    this.#lists.push([old, now]);
    this.#match(old, now, whole);
    this.#match(
      old.filter((step) => !this.#now.hasContent(step.whole)),
      now.filter((step) => !this.#old.hasContent(step.whole)),
      own,
    );
  }

  #match(old: Steps, now: Steps, key: Key): void {
    for (const [before, after] of alignBy(key, this.#old.in(old), this.#now.in(now))) this.#pair(before, after);
  }

  #pair(old: ListedStep, now: ListedStep): void {
    // They might have been matched since, with the steps around them.
    if (!this.#old.has(old) || !this.#now.has(now)) return;
    this.#old.take(old);
    this.#now.take(now);
    this.matches.set(now, old);
    for (const [name, list] of now.lists) {
      const before = old.lists.get(name) ?? [];
      if (old.whole !== now.whole) this.#matchLists(before, list);
      else list.forEach((step, index) => this.#pair(before[index]!, step));
    }
  }
}

/** The steps of one pipeline that aren’t matched yet. */
class Unmatched {
  readonly #steps: Set<ListedStep>;
  /** How many have each content. */
  readonly #counts = new Map<number, number>();

  constructor(steps: Steps) {
    this.#steps = new Set(withNested(steps));
    for (const step of this.#steps) this.#count(step, 1);
  }

  /** In document order. */
  get steps(): Steps {
    return [...this.#steps];
  }

  has(step: ListedStep): boolean {
    return this.#steps.has(step);
  }

  hasContent(whole: number): boolean {
    return (this.#counts.get(whole) ?? 0) > 0;
  }

  in(steps: Steps): Steps {
    return steps.filter((step) => this.#steps.has(step));
  }

  take(step: ListedStep): void {
    this.#steps.delete(step);
    this.#count(step, -1);
  }

  #count({ whole }: ListedStep, by: number): void {
    this.#counts.set(whole, (this.#counts.get(whole) ?? 0) + by);
  }
}
