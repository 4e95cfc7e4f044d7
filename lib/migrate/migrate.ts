/** Translates a V2 action to V3: its code, its other properties, and a report for each step. */
import { tokenizer } from 'acorn';
import { validatePipeline } from '../pipeline/index.ts';
import type { Result } from '../platform-api/coded-error.ts';
import { CODE_LIMIT } from '../platform-api/actions-v3/index.ts';
import { type CodeFacts, CodeScope, hoistedStatement } from './code-scope.ts';
import { draftOf, notesOn } from './draft.ts';
import { Effects, mayReturn, returnsAtEnd } from './effects.ts';
import { helperLines } from './helpers.ts';
import { type Doc, hardLine, indent, join, print } from './print/doc.ts';
import { pathsIn } from './paths.ts';
import { StepPrinter, worst } from './steps.ts';
import type { Migration, MigrationOptions, StepReport, V2Action } from './types.ts';
import { UserPackages } from './sources/user-packages.ts';

/**
 * Deterministic: the same action and options give the same bytes.
 * @returns an error `PIPELINE_INVALID`, with a detail for each problem, if V2 itself can’t run the pipeline
 */
export function migrate(action: V2Action, options: MigrationOptions = {}): Result<Migration> {
  const slices = inSlices(action, options);
  for (let slice = slices.next(); ; slice = slices.next()) if (slice.done) return slice.value;
}

/** The same, with a pause after each step of the pipeline. @param pause gets how many steps are migrated */
export async function migrateWithPauses(
  action: V2Action,
  options: MigrationOptions,
  pause: (done: number) => Promise<void>,
): Promise<Result<Migration>> {
  const slices = inSlices(action, options);
  for (let slice = slices.next(); ; slice = slices.next()) {
    if (slice.done) return slice.value;
    await pause(slice.value);
  }
}

/** Yields how many steps are migrated. */
function* inSlices(action: V2Action, options: MigrationOptions): Generator<number, Result<Migration>> {
  const problems = validatePipeline(action.functions);
  if (problems.length > 0) {
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
    return {
      ok: false,
      error: {
        code: 'PIPELINE_INVALID',
        message: `Couldn’t migrate the pipeline: ${problems[0]?.path}: ${problems[0]?.message}${more}`,
        hint: 'Correct the steps in V2 first, where they can’t run either.',
        details: problems.map(({ path, message }) => ({ path, message })),
      },
    };
  }
  yield 0;
  const { code, steps } = isScreen(action) ? screenCode(action) : yield* pipelineCode(action, options);
  yield action.functions.length;
  const level = worst(steps.map((step) => step.level));
  const notes = notesOn(action, code);
  if (code.length > CODE_LIMIT) notes.push('The code is longer than V3 allows. Split the action.');
  const report = { format: 'platform-devtools/migration', version: 1, name: action.name, level, steps, notes } as const;
  return { ok: true, value: { code, action: draftOf(action, code), report } };
}

const isScreen = ({ pageId, functions }: V2Action): boolean => typeof pageId === 'number' && functions.length === 0;

/** An action that runs a screen has its code in the screen’s handler. */
function screenCode(action: V2Action): { code: string; steps: StepReport[] } {
  const reason = `The action runs the handler of screen ${action.pageId}. Move the handler’s body here.`;
  const body = ['// The payload is context.payload.', `throw new Error('Not migrated: ${reason}');`];
  const code = print([...opening(action), indent(body.map((line) => [hardLine, line])), hardLine, '}', hardLine]);
  return { code, steps: [{ path: '', name: 'screen', level: 'needs-person', reasons: [reason], line: null }] };
}

function opening({ name }: V2Action): Doc[] {
  const title = /^[\w-]{1,34}$/.test(name) ? ` ${name}` : '';
  return [
    `/** Migrated from the V2 action${title}. Comments such as “/0” are the paths of its steps. */`,
    hardLine,
    'async function execute(context) {',
  ];
}

function* pipelineCode(
  action: V2Action,
  options: MigrationOptions,
): Generator<number, { code: string; steps: StepReport[] }> {
  const effects = new Effects();
  const packages = new UserPackages(options.sources ?? new Map());
  const scope = new CodeScope(factsOf(action, effects));
  const printer = new StepPrinter({ effects, options, packages, returnsAtEnd: returnsAtEnd(action.functions) });
  const statements: string[] = [];
  for (const [index, step] of action.functions.entries()) {
    statements.push(print(printer.step(step, `/${index}`, scope), LEVEL));
    yield index + 1;
  }
  const functions = packages.functions(scope);
  const needsResult = packages.isUsed || (action.functions.some(mayReturn) && !returnsAtEnd(action.functions));
  const before: Doc[] = [
    ...(scope.hoisted.size > 0
      ? ['// As in V2, a key of the payload with such a name comes first.', hoistedStatement(scope.hoisted)]
      : []),
    ...(needsResult ? ['let result;'] : []),
    ...(packages.isUsed ? ['const packages = functionPackages();'] : []),
  ];
  const helpers = [...functions, ...helperLines(scope.helpers).map((lines) => join(lines, hardLine))];
  const after = [
    ...statements,
    ...(needsResult ? ['return result;'] : []),
    ...helpers.map((each) => print(each, LEVEL)),
  ];
  const whole = (first: Doc[]): string => {
    const start = first.length + before.length > 0 ? [print(join([...first, ...before], hardLine), LEVEL)] : [];
    const body = [...start, ...after].map((part) => `  ${part}`).join('\n\n');
    return `${print(opening(action))}\n${body}${body === '' ? '' : '\n'}}\n`;
  };
  const plain = whole([]);
  const code = hasName(plain, 'data') ? whole(['const data = { ...context.payload };']) : plain;
  return { code, steps: withLines(printer.reports, code) };
}

/** Indentation of the body of `execute`. */
const LEVEL = 1;

/** Whether code has a variable of this name. */
function hasName(code: string, name: string): boolean {
  const tokens = tokenizer(code, { ecmaVersion: 'latest' });
  let before = '';
  for (const { type, start, end } of tokens) {
    const text = code.slice(start, end);
    if (type.label === 'name' && text === name && before !== '.') return true;
    before = text;
  }
  return false;
}

function factsOf({ functions, triggers }: V2Action, effects: Effects): CodeFacts {
  const writes = effects.writesOfAll(functions);
  const isKnown =
    triggers !== undefined && triggers.every(({ trigger }) => trigger === 'schedule' || trigger === 'log');
  return { isPayloadUnknown: !isKnown, canWrite: (name) => writes === 'anything' || writes.has(name) };
}

function withLines(reports: readonly StepReport[], code: string): StepReport[] {
  const lines = new Map(pathsIn(code).map(({ path, line }) => [path, line]));
  return reports.map((report) => ({ ...report, line: lines.get(report.path) ?? null }));
}
