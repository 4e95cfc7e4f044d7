/** Validates and compiles a pipeline in one pass. */
import type { PipelineFunction, PipelineStep, Problem } from './types.ts';
import type { Branch, StepNode } from './nodes.ts';
import { compileCondition } from './condition/compile.ts';
import { ConditionError, describeThrown, describeValue, quote } from './errors.ts';
import { settingsBudget, settingsCopier } from './settings.ts';

/** Maximum nesting of steps. */
const MAX_LEVELS = 100;
/** Maximum number of steps, counting all lists. */
const MAX_STEPS = 100_000;

type Lookup = (name: string) => PipelineFunction | undefined;
type Fields = Record<keyof PipelineStep, unknown>;

/** Reads untrusted steps. `first` can only run if there are no problems. */
export function readPipeline(pipeline: unknown, lookup: Lookup): { first: StepNode | null; problems: Problem[] } {
  const reader = new Reader(lookup);
  const first = reader.list(pipeline, '', null);
  return { first, problems: reader.problems };
}

/** Properties of other types. Ignoring them would silently leave out steps or loops. */
const FOREIGN: Record<StepNode['kind'], readonly (keyof PipelineStep)[]> = {
  function: ['items', 'range', 'conditions', 'elseFunctions'],
  loop: ['functionPackage', 'function', 'conditions', 'elseFunctions'],
  if: ['functionPackage', 'function', 'functions', 'items', 'range'],
};
const RANGE_FIELDS = ['from', 'to'];

const isEmpty = (value: unknown): boolean =>
  absent(value) || value === '' || (Array.isArray(value) && value.length === 0);
const absent = (value: unknown): value is undefined | null => value === undefined || value === null;

class Reader {
  readonly problems: Problem[] = [];
  private readonly lookup: Lookup;
  /** Enclosing lists and steps, outermost first. */
  private readonly ancestors: object[] = [];
  private stepsLeft = MAX_STEPS;
  private readonly budget = settingsBudget();
  /** Compiled conditions by source, so that each is compiled only once. */
  private readonly compiled = new Map<string, Branch['test']>();

  constructor(lookup: Lookup) {
    this.lookup = lookup;
  }

  private problem(path: string, code: Problem['code'], message: string, column?: number): void {
    this.problems.push(column === undefined ? { path, code, message } : { path, code, message, column });
  }

  /** Links a list’s steps and returns the first. The list can be absent. */
  private optionalList(value: unknown, path: string, parent: StepNode | null): StepNode | null {
    return absent(value) ? null : this.list(value, path, parent);
  }

  list(value: unknown, path: string, parent: StepNode | null): StepNode | null {
    let first: StepNode | null = null;
    this.inside(value, path, (steps) => {
      if (!Array.isArray(steps))
        return this.problem(path, 'NOT_AN_ARRAY', `Steps must be an array, not ${describeValue(steps)}.`);
      let previous: StepNode | null = null;
      for (let index = 0; index < steps.length; index++) {
        if (this.stepsLeft-- === 0)
          this.problem(
            `${path}/${index}`,
            'TOO_LARGE',
            `A pipeline is limited to ${MAX_STEPS.toLocaleString('en')} steps, including nested ones.`,
          );
        if (this.stepsLeft < 0) return;
        const node = this.step(steps[index], `${path}/${index}`, parent);
        if (!node) continue;
        if (previous) previous.next = node;
        first ??= node;
        previous = node;
      }
    });
    return first;
  }

  /** Reads one level deeper. Guards against cycles, deep nesting, and properties that throw. */
  private inside(value: unknown, path: string, read: (value: unknown) => void): void {
    if (typeof value === 'object' && value !== null && this.ancestors.includes(value))
      return this.problem(path, 'CYCLE', 'The pipeline contains itself here.');
    // A step and its list count as two levels.
    if (this.ancestors.length >= MAX_LEVELS * 2)
      return this.problem(path, 'TOO_DEEP', `Step nesting is limited to ${MAX_LEVELS} levels.`);
    this.ancestors.push(value as object);
    try {
      read(value);
    } catch (thrown) {
      this.problem(path, 'INVALID_FIELD', `Couldn’t read this value: ${describeThrown(thrown)}`);
    }
    this.ancestors.pop();
  }

  private step(value: unknown, path: string, parent: StepNode | null): StepNode | null {
    let node: StepNode | null = null;
    this.inside(value, path, (step) => {
      if (typeof step !== 'object' || step === null || Array.isArray(step))
        return this.problem(path, 'NOT_AN_OBJECT', `A step must be an object. This one is ${describeValue(step)}.`);
      const fields = step as Fields;
      const { type } = fields;
      if (absent(type) || type === 'function') node = this.functionStep(fields, path, parent);
      else if (type === 'loop') node = this.loop(fields, path, parent);
      else if (type === 'if') node = this.conditional(fields, path, parent);
      else
        this.problem(
          path,
          'UNKNOWN_TYPE',
          `type must be function, loop, or if. This one is ${typeof type === 'string' ? quote(type) : describeValue(type)}.`,
        );
    });
    return node;
  }

  private refuseForeign(fields: Fields, path: string, kind: StepNode['kind']): void {
    const what = { function: 'A step without type loop or if', loop: 'A loop', if: 'An if step' }[kind];
    for (const name of FOREIGN[kind])
      if (!isEmpty(fields[name])) this.problem(`${path}/${name}`, 'INVALID_FIELD', `${what} can’t have ${name}.`);
  }

  private functionStep(fields: Fields, path: string, parent: StepNode | null): StepNode {
    this.refuseForeign(fields, path, 'function');
    const { functionPackage, function: alias, functions, settings: given } = fields;
    const name = absent(functionPackage) ? alias : functionPackage;
    let fn: PipelineFunction | undefined;
    if (absent(name) || name === '')
      this.problem(
        path,
        'MISSING_PACKAGE',
        'The step doesn’t name a function package. Add functionPackage, or a type.',
      );
    else if (typeof name !== 'string')
      this.problem(
        path,
        'INVALID_FIELD',
        `The name of a function package must be a string. This one is ${describeValue(name)}.`,
      );
    else if (!absent(functionPackage) && !absent(alias) && alias !== name)
      this.problem(path, 'INVALID_FIELD', 'function and functionPackage name different packages. Remove one of them.');
    else {
      fn = this.lookup(name);
      if (typeof fn !== 'function')
        this.problem(path, 'UNKNOWN_PACKAGE', `No function is registered under ${quote(name)}.`);
    }
    const settings = settingsCopier(given, this.budget);
    if (typeof settings !== 'function')
      this.problem(`${path}/settings${settings.path}`, settings.code, settings.message);
    const node: StepNode = {
      kind: 'function',
      path,
      name: String(name),
      step: fields as PipelineStep,
      parent,
      next: null,
      first: null,
      fn: fn ?? (() => undefined),
      settings: typeof settings === 'function' ? settings : () => ({}),
    };
    node.first = this.optionalList(functions, `${path}/functions`, node);
    return node;
  }

  private loop(fields: Fields, path: string, parent: StepNode | null): StepNode {
    this.refuseForeign(fields, path, 'loop');
    const { items, range, functions } = fields;
    let from = 0;
    let to = -1;
    if (absent(items) === absent(range))
      this.problem(
        path,
        'LOOP_SOURCE',
        `A loop needs items or range. This one has ${absent(items) ? 'neither' : 'both'}.`,
      );
    else if (absent(range)) {
      if (typeof items !== 'string' || items === '')
        this.problem(`${path}/items`, 'INVALID_ITEMS', 'items must be the name or path of a property of the context.');
    } else {
      const given = typeof range === 'object' ? (range as { from?: unknown; to?: unknown }) : {};
      from = this.bound(given.from, `${path}/range/from`);
      to = this.bound(given.to, `${path}/range/to`);
      for (const name of Object.keys(given).filter((each) => !RANGE_FIELDS.includes(each)))
        this.problem(
          `${path}/range/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
          'INVALID_RANGE',
          'A range can have only from and to.',
        );
    }
    const node: StepNode = {
      kind: 'loop',
      path,
      name: 'loop',
      step: fields as PipelineStep,
      parent,
      next: null,
      first: null,
      items: absent(items) ? null : String(items),
      from,
      to,
    };
    node.first = this.optionalList(functions, `${path}/functions`, node);
    return node;
  }

  private bound(value: unknown, path: string): number {
    if (typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
    this.problem(
      path,
      'INVALID_RANGE',
      `from and to must be numbers up to ${Number.MAX_SAFE_INTEGER}. This one is ${typeof value === 'number' ? value : describeValue(value)}.`,
    );
    return 0;
  }

  private conditional(fields: Fields, path: string, parent: StepNode | null): StepNode {
    this.refuseForeign(fields, path, 'if');
    const { conditions, elseFunctions } = fields;
    const branches: Branch[] = [];
    const node: StepNode = {
      kind: 'if',
      path,
      name: 'if',
      step: fields as PipelineStep,
      parent,
      next: null,
      branches,
      otherwise: null,
    };
    if (!Array.isArray(conditions))
      this.problem(
        `${path}/conditions`,
        'NOT_AN_ARRAY',
        `conditions must be an array of blocks. This one is ${describeValue(conditions)}.`,
      );
    else {
      for (let index = 0; index < conditions.length && this.stepsLeft >= 0; index++) {
        // A block counts as a step.
        if (this.stepsLeft-- === 0)
          this.problem(
            `${path}/conditions/${index}`,
            'TOO_LARGE',
            `A pipeline is limited to ${MAX_STEPS.toLocaleString('en')} steps, including condition blocks.`,
          );
        else this.branch(conditions[index], `${path}/conditions/${index}`, node, branches);
      }
    }
    if (!absent(elseFunctions)) node.otherwise = { first: this.list(elseFunctions, `${path}/elseFunctions`, node) };
    return node;
  }

  private branch(block: unknown, path: string, node: StepNode, branches: Branch[]): void {
    if (typeof block !== 'object' || block === null || Array.isArray(block))
      return this.problem(
        path,
        'NOT_AN_OBJECT',
        `A block must be an object with condition and functions. This one is ${describeValue(block)}.`,
      );
    const { condition, functions } = block as { condition?: unknown; functions?: unknown };
    const branch: Branch = {
      test: this.test(condition, `${path}/condition`),
      isCode: typeof condition === 'function',
      first: null,
    };
    branch.first = this.optionalList(functions, `${path}/functions`, node);
    branches.push(branch);
  }

  private test(condition: unknown, path: string): Branch['test'] {
    try {
      if (typeof condition === 'function') return condition as Branch['test'];
      if (typeof condition === 'string') {
        const test = this.compiled.get(condition) ?? compileCondition(condition);
        this.compiled.set(condition, test);
        return test;
      }
      this.problem(path, 'INVALID_CONDITION', `A condition must be a string. This one is ${describeValue(condition)}.`);
    } catch (thrown) {
      this.problem(
        path,
        'INVALID_CONDITION',
        describeThrown(thrown),
        thrown instanceof ConditionError ? thrown.column : undefined,
      );
    }
    return () => false;
  }
}
