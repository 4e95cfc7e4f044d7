/** Runs a V2 action with the engine and its migration as JavaScript, with the same function packages. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { createFunctions } from '../../../lib/actions/functions.ts';
import { migrate, type Migration, type MigrationOptions, type V2Action } from '../../../lib/migrate/index.ts';
import { isPipelineError, type PipelineFunction, runPipeline } from '../../../lib/pipeline/index.ts';
import { checkCode } from '../../../lib/platform-api/actions-v3/index.ts';

/** What a run did: calls of functions, effects outside, and how it ended. */
export interface Behavior {
  calls: unknown[];
  end: { result: unknown } | { failed: string };
}

const FOLDER = resolve(import.meta.dirname, '../../../lib/local-platform/functions/packages');
const OWN =
  'fail http-request if read-datasource return-string send-email send-notification set-context wait write-datasource'.split(
    ' ',
  );

export const copy = <T>(value: T): T => (value === undefined ? value : structuredClone(value));

/** JSON in which undefined and missing properties differ. */
const show = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part === undefined ? '(undefined)' : part)) ?? '(undefined)';

/** Records calls of functions, and calls them. */
class Recorder {
  readonly calls: unknown[] = [];
  private readonly thrown = new Set<unknown>();

  call(
    name: string,
    fn: PipelineFunction,
    settings: Record<string, unknown>,
    context: Record<string, unknown>,
  ): unknown {
    this.calls.push([name, show(settings), show(context)]);
    const note = (reason: unknown): never => {
      this.thrown.add(reason);
      throw reason;
    };
    try {
      const value = fn(settings, context);
      return value instanceof Promise ? value.catch(note) : value;
    } catch (reason) {
      return note(reason);
    }
  }

  /** Errors of functions are compared by name and message. The others have other words in JavaScript. */
  failure(error: unknown): string {
    if (this.thrown.has(error)) return error instanceof Error ? `${error.name}: ${error.message}` : show(error);
    return error instanceof Error && error.constructor === Error ? `Error: ${error.message}` : 'of the language';
  }
}

/** Runs the pipeline in V2’s engine. */
export async function runV2(
  action: V2Action,
  functions: Record<string, PipelineFunction>,
  payload: Record<string, unknown>,
): Promise<Behavior> {
  const recorder = new Recorder();
  const registry = new Map(ownPackages((effect) => recorder.calls.push(effect)));
  for (const [name, fn] of Object.entries(functions))
    registry.set(name, (settings, context) => recorder.call(name, fn, settings, context));
  try {
    const result = await runPipeline(action.functions, { payload: copy(payload), functions: registry });
    return { calls: recorder.calls, end: { result } };
  } catch (error) {
    const cause = isPipelineError(error) && error.code === 'STEP_FAILED' ? error.cause : error;
    return { calls: recorder.calls, end: { failed: recorder.failure(cause) } };
  }
}

/** The platform’s own packages as they are, with what they would send. */
export function ownPackages(
  send: (effect: unknown) => void,
  entries: unknown[] = [],
): ReadonlyMap<string, PipelineFunction> {
  const { api, registry } = createFunctions(() => null);
  const Platform = {
    Functions: api,
    env: () => ({ appId: 1 }),
    request: async (path: string, { body }: { body?: Record<string, unknown> } = {}) => {
      if (!body) return { entries: copy(entries), dataSources: [{ id: 502, name: 'People' }] };
      const { kind = path, ...message } = body;
      send([kind, show(message)]);
      return undefined;
    },
  };
  for (const name of OWN) {
    const source = readFileSync(resolve(FOLDER, `${name}.js`), 'utf8');
    // oxlint-disable-next-line no-new-func, no-implied-eval -- the packages are scripts
    (new Function('Platform', source) as (platform: unknown) => void)(Platform);
  }
  return registry;
}

/** Runs the migrated code. */
export async function runV3(
  { code }: Migration,
  functions: Record<string, PipelineFunction>,
  payload: Record<string, unknown>,
): Promise<Behavior> {
  const recorder = new Recorder();
  const call = (name: string, settings: Record<string, unknown>, context: Record<string, unknown>): unknown =>
    recorder.call(name, functions[name] as PipelineFunction, settings, context);
  const send = (kind: string) => async (message: unknown) => void recorder.calls.push([kind, show(message)]);
  const Platform = {
    Communicate: { sendEmail: send('email') },
    Notifications: { send: send('notification') },
  };
  // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
  const load = new Function('Platform', 'globalThis', `${code}\nreturn execute;`) as (
    platform: unknown,
    globals: object,
  ) => (context: { payload: unknown }) => Promise<unknown>;
  const globals = Object.assign(Object.create(globalThis) as object, { callFunction: call });
  try {
    return { calls: recorder.calls, end: { result: await load(Platform, globals)({ payload: copy(payload) }) } };
  } catch (error) {
    return { calls: recorder.calls, end: { failed: recorder.failure(error) } };
  }
}

/** Sources of packages that call functions of the test. */
export const sourcesOf = (functions: Record<string, PipelineFunction>): Map<string, string> =>
  new Map(
    Object.keys(functions).map((name) => [
      name,
      `Platform.Functions.register('${name}', (...given) => globalThis.callFunction('${name}', ...given));`,
    ]),
  );

/** The migration, which keeps to V3’s rules. */
export function migrated(action: V2Action, options: MigrationOptions = {}): Migration {
  const found = migrate(action, options);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  const { code } = found.value;
  expect(checkCode(code)).toEqual([]);
  expect(migrate(action, options)).toEqual(found);
  expect(code.split('\n').filter((line) => line.length > 120)).toEqual([]);
  return found.value;
}
