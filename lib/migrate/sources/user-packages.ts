/** Puts the code of users’ function packages into the generated code, with what V2 offered to them. */
import type { CodeScope } from '../code-scope.ts';
import { expressionsIn } from '../../pipeline/index.ts';
import { stringsIn } from '../expressions.ts';
import { type Doc, group, hardLine, indent, join, print } from '../print/doc.ts';
import { printSource } from '../print/filled.ts';
import { string } from '../print/text.ts';
import { UntranslatableError } from '../print/untranslatable.ts';
import { inlineSource } from './inline-source.ts';
import { type PackageProblem, problemIn } from './package-problems.ts';

export class UserPackages {
  private readonly sources: ReadonlyMap<string, string>;
  private readonly problems = new Map<string, PackageProblem | null>();
  private readonly used = new Set<string>();
  private readonly expressions = new Map<string, Doc>();

  constructor(sources: ReadonlyMap<string, string>) {
    this.sources = sources;
  }

  get isUsed(): boolean {
    return this.used.size > 0;
  }

  /** Why the package can’t run in V3, or null. */
  problemOf(name: string): PackageProblem | null {
    const known = this.problems.get(name);
    if (known !== undefined) return known;
    const source = this.sources.get(name);
    const problem = source === undefined ? UNKNOWN : problemIn(source);
    this.problems.set(name, problem);
    return problem;
  }

  /** Notes a call, whose settings can contain expressions that the package evaluates. */
  use(name: string, settings: Record<string, unknown>, scope: CodeScope): void {
    this.used.add(name);
    const source = this.sources.get(name) ?? '';
    const texts = stringsIn(settings);
    const found = [
      ...(/\bfill\b/.test(source) ? texts.flatMap(expressionsIn) : []),
      ...(/\bcompileCondition\b/.test(source) ? texts : []),
    ];
    for (const expression of found) this.translate(expression, scope);
  }

  /** Expressions see the context, not the variables of the code around the call. */
  private translate(expression: string, scope: CodeScope): void {
    if (this.expressions.has(expression)) return;
    try {
      this.expressions.set(expression, printSource(expression, scope.withoutLocals()).doc);
    } catch (thrown) {
      // Then the package fails when it evaluates the expression.
      if (!(thrown instanceof UntranslatableError)) throw thrown;
    }
  }

  /** The functions that the code needs. */
  functions(scope: CodeScope): Doc[] {
    if (!this.isUsed) return [];
    const used = [...this.used].sort();
    const uses = (names: RegExp): boolean => used.some((name) => names.test(this.sources.get(name) ?? ''));
    const evaluates = uses(/\b(?:fill|compileCondition)\b/);
    const prints = uses(/\bFunctions\b(?!\s*\.\s*(?:register|fill|compileCondition)\b)/);
    if (evaluates) scope.use('html');
    if (evaluates || prints) scope.use('text');
    const members = [
      'register: (name, fn) => packages.set(name, fn)',
      ...(evaluates ? ['fill', 'compileCondition'] : []),
      ...(prints ? ['text'] : []),
    ];
    const packages = [
      'const packages = new Map();',
      `const Functions = { ${members.join(', ')} };`,
      'const Platform = Object.create(globalThis.Platform ?? null, { Functions: { value: Functions } });',
      ...used.map((name): Doc => {
        const comment = `// ${/^[\w.-]{1,100}$/.test(name) ? name : 'A package with another name'}`;
        const source = { verbatim: `\n${inlineSource(this.sources.get(name) ?? '')}` };
        return [comment, hardLine, '(function () {', source, hardLine, '})();'];
      }),
      'return packages;',
    ];
    const about = '/** The function packages that the action used in V2, with the code that they had there. */';
    return [
      join(RUN, hardLine),
      [about, hardLine, 'function functionPackages() {', indent(hardLine, join(packages, hardLine)), hardLine, '}'],
      ...(evaluates ? [join(COMPILE, hardLine), this.table(), join(FILL, hardLine)] : []),
    ];
  }

  private table(): Doc {
    const entries = [...this.expressions].map(([source, code]): Doc => [
      hardLine,
      group('[', string(source), ', (data) => ', bodyOf(code), '],'),
    ]);
    return [
      '/** What the expressions in the settings of packages mean. */',
      hardLine,
      'function expressions() {',
      indent(hardLine, 'return new Map([', indent(entries), hardLine, ']);'),
      hardLine,
      '}',
    ];
  }
}

/** A brace would start a block of statements. */
const bodyOf = (code: Doc): Doc => (print(code).startsWith('{') ? ['(', code, ')'] : code);

const UNKNOWN: PackageProblem = { level: 'blocked', reason: 'The source of the package isn’t known.' };

const RUN = `
/** Runs a function package of V2. Resolves to whether the steps inside it run. */
async function run(name, settings) {
  const returned = packages.get(name)(settings, data);
  try {
    const value = await returned;
    if (value !== undefined) result = value;
    return true;
  } catch (reason) {
    // A rejection without a reason skips the steps inside.
    if (reason === undefined) return false;
    throw reason;
  }
}`
  .trim()
  .split('\n');

const COMPILE = `
/** A function of the context for an expression from the settings. */
function compileCondition(source) {
  const compiled = expressions().get(source);
  if (!compiled) throw new TypeError(\`The expression “\${source}” isn’t migrated.\`);
  return compiled;
}`
  .trim()
  .split('\n');

const FILL = `
/** A setting with the values of its expressions. */
function fill(value, context, options = {}) {
  if (Array.isArray(value)) return value.map((each) => fill(each, context, options));
  const prototype = typeof value === 'object' && value !== null && Object.getPrototypeOf(value);
  if (prototype === null || (prototype && Object.getPrototypeOf(prototype) === null))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, context, options)]));
  if (typeof value !== 'string') return value;
  const [open, close] = ['{'.repeat(2), '}'.repeat(2)];
  const sources = [...expressions().keys()];
  const print = options.escape === 'html' ? html : text;
  let [filled, rest] = ['', value];
  for (;;) {
    const start = rest.indexOf(open);
    if (start < 0 || !rest.includes(close, start + 2)) return filled + rest;
    const after = rest.slice(start + 2);
    // An expression ends where V2’s grammar says, so it’s compared with the known ones.
    const source = sources.find((each) => after.startsWith(each + close));
    if (source === undefined) throw new TypeError(\`The expressions in “\${value}” aren’t migrated.\`);
    const found = compileCondition(source)(context);
    if (!options.escape && value.length === source.length + 4) return found;
    filled += rest.slice(0, start) + print(found);
    rest = after.slice(source.length + 2);
  }
}`
  .trim()
  .split('\n');
