/** Puts the code of users’ function packages into the generated code, with what V2 offered to them. */
import type { CodeScope } from '../code-scope.ts';
import { expressionsIn } from '../../shared/templates.ts';
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
    const evaluates = used.some((name) => /\b(?:fill|compileCondition)\b/.test(this.sources.get(name) ?? ''));
    if (evaluates) for (const helper of ['text', 'html'] as const) scope.use(helper);
    const members = [
      'register: (name, fn) => packages.set(name, fn)',
      ...(evaluates ? ['fill', 'compileCondition'] : []),
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
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, context, options)]));
  if (typeof value !== 'string') return value;
  const pattern = /\\{\\{((?:[^{}]|\\{[^{}]*\\})*)\\}\\}/g;
  const only = options.escape ? null : new RegExp(\`^\${pattern.source}$\`).exec(value);
  if (only) return compileCondition(only[1])(context);
  const print = options.escape === 'html' ? html : text;
  return value.replace(pattern, (_, source) => print(compileCondition(source)(context)));
}`
  .trim()
  .split('\n');
