/** Prints the steps of a pipeline as statements, each below a comment with its path. */
import { keysIn } from '../pipeline/syntax.ts';
import type { ConditionBlock, PipelineStep } from '../pipeline/types.ts';
import type { CodeScope } from './code-scope.ts';
import { type Effects, packageOf } from './effects.ts';
import { readsName } from './expressions.ts';
import { itemName, whyInContext } from './loops.ts';
import { pathComment } from './paths.ts';
import { OWN_PACKAGES } from './packages/index.ts';
import { atLineStart, bracketed, type Doc, group, hardLine, indent, join, softLine } from './print/doc.ts';
import { access } from './print/expression.ts';
import type { Kind } from './print/kinds.ts';
import { stableKinds } from './stable-kinds.ts';
import { printSource } from './print/filled.ts';
import * as literals from './print/literals.ts';
import { string } from './print/text.ts';
import { UntranslatableError } from './print/untranslatable.ts';
import type { UserPackages } from './sources/user-packages.ts';
import type { Level, MigrationOptions, StepReport } from './types.ts';

const LEVELS: readonly Level[] = ['idiomatic', 'faithful', 'needs-person', 'blocked'];

export interface StepPrinterOptions {
  effects: Effects;
  options: MigrationOptions;
  packages: UserPackages;
  /** Whether a step’s value is returned at once, because nothing can replace it. */
  returnsAtEnd: boolean;
}

export class StepPrinter {
  readonly reports: StepReport[] = [];
  private readonly given: StepPrinterOptions;

  constructor(given: StepPrinterOptions) {
    this.given = given;
  }

  list(steps: readonly PipelineStep[], path: string, scope: CodeScope): Doc[] {
    return steps.map((step, index) => this.step(step, `${path}/${index}`, scope));
  }

  step(step: PipelineStep, path: string, scope: CodeScope): Doc {
    const kind = step.type === 'loop' || step.type === 'if' ? step.type : 'function';
    const report: StepReport = {
      path,
      name: kind === 'function' ? packageOf(step) : kind,
      level: 'idiomatic',
      reasons: [],
      line: null,
    };
    this.reports.push(report);
    const helpers = new Set(scope.helpers);
    const statements = this.statements(kind, step, report, scope);
    if (
      report.level === 'idiomatic' &&
      [...scope.helpers].some((helper) => FAITHFUL.has(helper) && !helpers.has(helper))
    ) {
      lower(report, 'faithful', 'A helper keeps the meaning that a name, a member, or a loop has in V2.');
    }
    return [pathComment(path), ...statements.flatMap((statement) => [hardLine, statement])];
  }

  private statements(kind: string, step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    try {
      if (kind === 'loop') return this.loop(step, report, scope);
      if (kind === 'if') return this.conditional(step, report, scope);
      return OWN_PACKAGES.has(packageOf(step)) ? this.own(step, report, scope) : this.user(step, report, scope);
    } catch (thrown) {
      if (!(thrown instanceof UntranslatableError)) throw thrown;
      lower(report, 'needs-person', thrown.message);
      return [[this.thrown(report.path, thrown.message), ';']];
    }
  }

  /** An error at the place of what can’t be translated. */
  private thrown(path: string, reason: string): Doc {
    return group('throw ', bracketed('new Error(', [string(`${path} isn’t migrated: ${reason}`)], ')'));
  }

  private own(step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    const known = OWN_PACKAGES.get(packageOf(step));
    if (!known) return [];
    const { options } = this.given;
    const { statements = [], test, value, reason } = known.print({ settings: step.settings ?? {}, scope, options });
    if (reason !== undefined) lower(report, 'faithful', reason);
    const nested = step.functions ?? [];
    if (test !== undefined)
      return [this.ifStatement(test, this.block(nested, `${report.path}/functions`, scope, step))];
    const own = value === undefined ? statements : [...statements, this.value(value)];
    return [...own, ...this.list(nested, `${report.path}/functions`, scope)];
  }

  private value(value: Doc): Doc {
    return group(this.given.returnsAtEnd ? 'return ' : 'result = ', value, ';');
  }

  /** A package with its source, through the helper that calls it. */
  private user(step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    const { packages } = this.given;
    const name = packageOf(step);
    const problem = packages.problemOf(name);
    if (problem) {
      lower(report, problem.level, problem.reason);
      scope.forget('anything');
      return [[this.thrown(report.path, problem.reason), ';']];
    }
    const settings = literals.value(step.settings ?? {});
    if (settings === null) throw new UntranslatableError('The settings contain a value that isn’t JSON.');
    packages.use(name, step.settings ?? {}, scope);
    lower(report, 'faithful', 'The package’s own code runs, as in V2.');
    const call = group('await ', bracketed('run(', [string(name), settings], ')'));
    scope.forget('anything');
    const nested = step.functions ?? [];
    if (nested.length === 0) return [[call, ';']];
    return [this.ifStatement(call, this.block(nested, `${report.path}/functions`, scope, step))];
  }

  private conditional(step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    const blocks = step.conditions ?? [];
    if (blocks.length > MAX_BLOCKS) throw new UntranslatableError(TOO_MANY_BLOCKS);
    const tests = blocks.map((block, index) =>
      this.condition(block, `${report.path}/conditions/${index}`, report, scope),
    );
    const bodies = blocks.map(({ functions }, index) =>
      this.block(functions, `${report.path}/conditions/${index}/functions`, scope, step),
    );
    const otherwise = step.elseFunctions
      ? this.block(step.elseFunctions, `${report.path}/elseFunctions`, scope, step)
      : null;
    this.forget([step], scope);
    if (tests.length === 0) return otherwise ? [blockOf(otherwise)] : [];
    const parts: Doc[] = tests.map((test, index) => [
      index === 0 ? '' : ' else ',
      this.ifStatement(test, bodies[index] as Doc[]),
    ]);
    if (otherwise && otherwise.length > 0) parts.push(' else ', blockOf(otherwise));
    return [parts];
  }

  private condition({ condition }: ConditionBlock, path: string, report: StepReport, scope: CodeScope): Doc {
    try {
      if (typeof condition !== 'string')
        throw new UntranslatableError('The condition is a function, whose variables aren’t known.');
      return printSource(condition, scope).doc;
    } catch (thrown) {
      if (!(thrown instanceof UntranslatableError)) throw thrown;
      lower(report, typeof condition === 'string' ? 'needs-person' : 'blocked', thrown.message);
      scope.use('notMigrated');
      return bracketed('notMigrated(', [string(`${path} isn’t migrated: ${thrown.message}`)], ')');
    }
  }

  private ifStatement(test: Doc, body: Doc[]): Doc {
    return [group('if (', indent(softLine, atLineStart(test)), softLine, ') '), blockOf(body)];
  }

  /** Nested steps, whose knowledge about the context ends with them. */
  private block(steps: readonly PipelineStep[], path: string, scope: CodeScope, parent: PipelineStep): Doc[] {
    const printed = this.list(steps, path, scope.nested(NOTHING));
    this.forget([parent], scope);
    return printed;
  }

  /** Forgets what the steps might have changed. */
  private forget(steps: readonly PipelineStep[], scope: CodeScope): void {
    const writes = this.given.effects.writesOfAll(steps);
    scope.forget(
      writes,
      stableKinds(steps, (name) => scope.kindOf(name), writes),
    );
  }

  private loop(step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    const { effects } = this.given;
    const body = step.functions ?? [];
    const writes = effects.writesOfAll(body);
    const reason = whyInContext(body, writes);
    const printed = reason === null ? this.localLoop(step, report, scope) : this.contextLoop(step, report, scope);
    if (reason !== null) lower(report, 'faithful', reason);
    if (reason === null) this.forget([step], scope);
    else scope.forget(writes);
    return printed;
  }

  /** The current item and its index are local variables. */
  private localLoop(step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    const { range, items = '', functions: body = [] } = step;
    const item = scope.unused(range ? 'number' : itemName(items));
    const hasIndex = readsName(body, 'currentIndex');
    // A range from 0 counts itself.
    const index = range?.from === 0 ? item : scope.nested(NOTHING, { taken: [item] }).unused('index');
    const locals = new Map<string, { name: string; kind: Kind }>([
      ['currentItem', { name: item, kind: range ? 'number' : 'unknown' }],
      ['currentIndex', { name: index, kind: 'number' }],
    ]);
    const inner = (): Doc[] => {
      const around = scope.nested(NOTHING);
      this.forget([step], around);
      return this.list(body, `${report.path}/functions`, around.nested(NOTHING, { locals }));
    };
    if (!range) {
      const list = this.items(items, scope);
      if (!hasIndex) return [['for (const ', item, ' of ', list, ') ', blockOf(inner())]];
      return [['for (const [', index, ', ', item, '] of ', list, '.entries()) ', blockOf(inner())]];
    }
    const { from, to } = range;
    if (Number.isSafeInteger(from) && Number.isSafeInteger(to)) {
      const counter =
        hasIndex && index !== item ? [`const ${index} = ${item} ${from < 0 ? `+ ${-from}` : `- ${from}`};`] : [];
      return [[`for (let ${item} = ${from}; ${item} <= ${to}; ${item}++) `, blockOf([...counter, ...inner()])]];
    }
    const header = `for (let ${index} = 0; ${from} + ${index} <= ${to}; ${index}++) `;
    return [[header, blockOf([`const ${item} = ${from} + ${index};`, ...inner()])]];
  }

  /** The array that a loop goes through. Without the helper if it’s certain that it is one. */
  private items(path: string, scope: CodeScope): Doc {
    const [first = '', ...rest] = keysIn(path);
    const local = scope.local(first);
    if (local === null && rest.length === 0 && scope.kindOf(first) === 'array') return group('data', access(first));
    scope.use('list');
    const keys = (names: string[]): Doc =>
      bracketed(
        '[',
        names.map((name) => string(name)),
        ']',
      );
    const list = (...parts: Doc[]): Doc => bracketed('list(', parts, ')');
    if (local !== null) {
      if (rest.length === 0) return list(literals.object([[path, local]]), string(path));
      return rest.length === 1 ? list(local, string(rest.join())) : list('data', string(path), keys(rest), local);
    }
    if (first === 'context') return list('data', string(path), keys(rest), scope.global('context'));
    const isDotted = path === [first, ...rest].join('.');
    return list('data', string(path), ...(isDotted ? [] : [keys([first, ...rest])]));
  }

  /** The current item and its index are in the context, as in V2, because other code can see or change them there. */
  private contextLoop(step: PipelineStep, report: StepReport, scope: CodeScope): Doc[] {
    const { range, items = '', functions: body = [] } = step;
    const index = scope.unused('index');
    const [list, length, restore] = ['items', 'length', 'restore'].map((name) => scope.unused(name)) as [
      string,
      string,
      string,
    ];
    const names = { taken: [index, list, length, restore] };
    scope.use('keepLoopNames');
    const before: Doc[] = range
      ? []
      : [['const ', list, ' = ', this.items(items, scope), ';'], `const { ${renamed('length', length)} } = ${list};`];
    const value = range ? `${range.from} + ${index}` : `${list}[${index}]`;
    const test = range
      ? `${range.from} + ${index} <= ${range.to}`
      : `${index} < ${length} && ${index} < ${list}.length`;
    const steps = this.list(body, `${report.path}/functions`, scope.nested('anything', names));
    const assigned = [`data.currentItem = ${value};`, `data.currentIndex = ${index};`];
    return [
      blockOf([
        ...before,
        `const ${restore} = keepLoopNames(data);`,
        [`for (let ${index} = 0; ${test}; ${index}++) `, blockOf([...assigned, ...steps])],
        `${restore}();`,
      ]),
    ];
  }
}

/** A parser calls itself for each `else if`, and browsers give it less space than Node does. */
const MAX_BLOCKS = 1_000;
const TOO_MANY_BLOCKS = 'The step has more than 1,000 conditions. Split it into several steps.';

const NOTHING: ReadonlySet<string> = new Set();
const renamed = (name: string, to: string): string => (name === to ? name : `${name}: ${to}`);

/** Helpers that only V2’s meaning needs. */
const FAITHFUL: ReadonlySet<string> = new Set(['own', 'has', 'call', 'keyName', 'maybe', 'keepLoopNames']);

function blockOf(body: readonly Doc[]): Doc {
  if (body.length === 0) return ['{', indent(hardLine, '// Nothing to do.'), hardLine, '}'];
  return ['{', indent(hardLine, join(body, hardLine)), hardLine, '}'];
}

function lower(report: StepReport, level: Level, reason: string): void {
  if (LEVELS.indexOf(level) > LEVELS.indexOf(report.level)) report.level = level;
  if (!report.reasons.includes(reason)) report.reasons.push(reason);
}

export const worst = (levels: readonly Level[]): Level =>
  levels.reduce<Level>((found, level) => (LEVELS.indexOf(level) > LEVELS.indexOf(found) ? level : found), 'idiomatic');
