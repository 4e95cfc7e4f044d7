/** What the command makes of bad input (issue, "Bad input"): its status, its words, and code that only defines a function. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionReport, MigratedAction } from '../../../lib/cli/migrate/types.ts';
import { record } from '../../../lib/debugging/index.ts';
import type { PipelineStep } from '../../../lib/pipeline/index.ts';
import { checkCode } from '../../../lib/platform-api/actions-v3/index.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { runCli } from '../../support/run-cli.ts';
import { ownPackages } from '../../unit/migrate/run-both.ts';
import { each, own, say, set, use } from '../../unit/migrate/steps.ts';

/** Packages by name. Each file that the command reads has one of them. */
const SOURCES: Record<string, string> = {
  evaluates: "Platform.Functions.register('evaluates', (settings) => eval(settings.code));",
  'makes-functions': "Platform.Functions.register('makes-functions', () => new Function('return 1')());",
  'of-a-page': "Platform.Functions.register('of-a-page', () => document.title);",
  'loads-scripts': "Platform.Functions.register('loads-scripts', () => importScripts('a.js'));",
  'starts-at-once': `Platform.Functions.fill('started', {});
    console.log(fetch('https://example.com/started'));
    Platform.Functions.register('starts-at-once', () => 1);`,
};

const NAMES = 'await class execute arguments eval Platform fetch Headers context data result packages item'.split(' ');
const STRINGS = '\' " ` ${x} */ /* // \u2028 \u2029 \ufeff \\ \\u0061 \0 \r\n </script> <!-- {{ }} }}}} 😀 \ud800';
const HOSTILE_KEYS = { payload: 'p', data: { a: 1 }, context: { a: 2 }, Math: { max: 'mine' }, 'a b': { 'c-d': 3 } };

interface Row {
  functions: PipelineStep[];
  /** Properties of the action. */
  more?: object;
  /** Of a recorded run. */
  payload?: Record<string, unknown>;
  /** The pipeline of the recorded run. Default: the action’s. */
  recorded?: PipelineStep[];
  status: string;
  reason?: RegExp;
}

const MIGRATED: Record<string, Row> = {
  'an-unknown-package': { functions: [use('com.acme.unknown')], status: 'blocked', reason: /source of the package/ },
  'a-package-with-eval': { functions: [use('evaluates')], status: 'blocked', reason: /uses eval, which V3/ },
  'a-package-with-Function': { functions: [use('makes-functions')], status: 'blocked', reason: /uses Function/ },
  'a-package-with-DOM': { functions: [use('of-a-page')], status: 'blocked', reason: /document, which only pages have/ },
  'a-package-with-importScripts': {
    functions: [use('loads-scripts')],
    status: 'needs-person',
    reason: /uses importScripts, which V3 doesn’t have/,
  },
  'a-package-that-starts-at-once': { functions: [use('starts-at-once')], status: 'faithful' },
  'a-screen-target': {
    functions: [],
    more: { pageId: 2002 },
    status: 'needs-person',
    reason: /handler of screen 2002/,
  },
  'colliding-names': {
    functions: [set(Object.fromEntries(NAMES.map((name) => [name, `'${name}'`]))), say(readAll(NAMES))],
    payload: {},
    status: 'faithful',
    reason: /^A helper keeps the meaning that a name, a member, or a loop has in V2/,
  },
  'colliding-keys': {
    functions: [say("{{payload}} {{data.a}} {{context.a}} {{Math.max}} {{typeof context['a b']}}")],
    payload: HOSTILE_KEYS,
    status: 'proved',
  },
  'keys-that-are-no-identifiers': {
    functions: [each('list', say("{{currentItem['a b']['c-d']}} {{currentItem['']}}"))],
    payload: { list: [HOSTILE_KEYS, { 'a b': {}, '': 4 }] },
    status: 'proved',
  },
  'hostile-strings': {
    functions: [
      own('send-email', { to: '{{a}}', subject: STRINGS.replaceAll('{{', '{'), html: STRINGS.replaceAll('{{', '{') }),
    ],
    payload: { a: STRINGS },
    status: 'proved',
  },
  'a-recording-of-another-revision': {
    functions: [say('new')],
    recorded: [say('old')],
    payload: {},
    status: 'equal-so-far',
  },
  // Its proof takes as long as all others.
  ...(isExhaustive() && {
    '10,000-steps': {
      functions: Array.from({ length: 10_000 }, (_, index) => set({ a: String(index) })),
      status: 'equal-so-far',
    },
  }),
};

function readAll(names: string[]): string {
  return names.map((name) => `{{context['${name}']}}`).join(' ');
}

const REFUSED: Record<string, { failing: unknown; path: string; message: RegExp }> = {
  'no-object': { failing: null, path: '/1', message: /A step must be an object/ },
  'unknown-type': { failing: { type: 'later' }, path: '/1', message: /type must be function, loop, or if/ },
  'no-package': { failing: { settings: {} }, path: '/1', message: /doesn’t name a function package/ },
  'two-packages': { failing: { function: 'a', functionPackage: 'b' }, path: '/1', message: /different packages/ },
  'both-items-and-range': {
    failing: { type: 'loop', items: 'a', range: { from: 1, to: 2 } },
    path: '/1',
    message: /This one has both/,
  },
  'neither-items-nor-range': { failing: { type: 'loop' }, path: '/1', message: /This one has neither/ },
  'items-without-a-name': { failing: { type: 'loop', items: 5 }, path: '/1/items', message: /items must be/ },
  'a-range-with-more': {
    failing: { type: 'loop', range: { from: 1, to: 2, by: 2 } },
    path: '/1/range/by',
    message: /only from and to/,
  },
  'bad-condition': {
    failing: { type: 'if', conditions: [{ condition: 'a =', functions: [] }] },
    path: '/1/conditions/0/condition',
    message: /./,
  },
  'steps-that-are-no-array': {
    failing: { type: 'loop', items: 'a', functions: {} },
    path: '/1/functions',
    message: /must be an array/,
  },
  'foreign-property': { failing: { ...say('x'), items: 'a' }, path: '/1/items', message: /can’t have items/ },
  'too-deep': { failing: nested(200), path: '/1', message: /nesting is limited/ },
};

function nested(depth: number): PipelineStep {
  return depth === 0 ? say('x') : { type: 'loop', items: 'a', functions: [nested(depth - 1)] };
}

let folder: string;
let out: string;
let exitCode: number;
let actions: Map<string, MigratedAction>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platform-test-'));
  out = join(folder, 'out');
  await mkdir(join(folder, 'runs'));
  const args = ['--out', out, '--json', '--recordings', join(folder, 'runs')];
  for (const [index, [name, source]] of Object.entries(SOURCES).entries()) {
    const file = join(folder, `source-${index}.js`);
    await writeFile(file, source);
    args.push('--source', `${name}=${file}`);
  }
  const refused = Object.entries(REFUSED).map(([name, { failing }]) => ({ name, functions: [say('x'), failing] }));
  const migrated = Object.entries(MIGRATED).map(([name, { functions, more }]) => ({ name, functions, ...more }));
  for (const [index, action] of [...refused, ...migrated].entries()) {
    const file = join(folder, `action-${index}.json`);
    await writeFile(file, JSON.stringify(action));
    args.push('--action-file', file);
  }
  for (const [name, { functions, recorded = functions, payload }] of Object.entries(MIGRATED)) {
    if (!payload) continue;
    const packages = ownPackages(() => undefined);
    const { recording } = await record(recorded, { payload, functions: packages, action: { name } });
    await writeFile(join(folder, 'runs', `${name}.json`), JSON.stringify(recording));
  }
  const ran = await runCli(['migrate', ...args]);
  expect(ran.error).toBe('');
  exitCode = ran.code;
  const found = (JSON.parse(ran.out) as { actions: MigratedAction[] }).actions;
  actions = new Map(found.map((action) => [action.name, action]));
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const reportOf = (name: string): ActionReport => {
  const action = actions.get(name)!;
  if ('error' in action) throw new Error(`${action.error.code}: ${action.error.message}`);
  return action.report;
};

test('every action has a result, and the worst one is the exit code', () => {
  expect([...actions.keys()].sort()).toEqual([...Object.keys(REFUSED), ...Object.keys(MIGRATED)].sort());
  expect(exitCode).toBe(2);
});

describe('a pipeline that V2 refuses is blocked, with the place and the reason', () => {
  test.each(Object.keys(REFUSED))('%s', (name) => {
    const { path, message } = REFUSED[name]!;
    const action = actions.get(name)!;
    const { code, details } = 'error' in action ? action.error : expect.fail('it was migrated');
    const [detail] = details as { path: string; message: string }[];
    expect(code).toBe('PIPELINE_INVALID');
    expect(detail!.path.startsWith(path), detail!.path).toBe(true);
    expect(detail!.message).toMatch(message);
  });
});

describe('an action has its status and a reason', () => {
  test.each(Object.keys(MIGRATED))('%s', (name) => {
    const { status, reason } = MIGRATED[name]!;
    const report = reportOf(name);
    const reasons = report.steps.flatMap((step) => step.reasons).join(' ');
    expect({ status: report.status, reasons }).toEqual({
      status,
      reasons: reason ? expect.stringMatching(reason) : expect.any(String),
    });
  });
});

test('a recording of another revision is put aside, with the reason', () => {
  expect(reportOf('a-recording-of-another-revision').proof).toMatchObject({
    comparisons: [{ isWhole: false, steps: 0 }],
    aside: [{ path: '/0', reason: 'Step /0 was different when the run was recorded.' }],
  });
});

describe('the file keeps to V3’s rules, and loading it does nothing', () => {
  test.each(Object.keys(MIGRATED))('%s', async (name) => {
    const code = await readFile(join(out, actions.get(name)!.folder, 'action.v3.js'), 'utf8');
    expect(checkCode(code)).toEqual([]);
    const used: string[] = [];
    const trap = (global: string): unknown => {
      const note = (): unknown => void used.push(global);
      return new Proxy(() => undefined, {
        get: note,
        set: () => (note(), true),
        apply: note,
        construct: () => (note(), {}),
      });
    };
    const globals = ['Platform', 'fetch', 'console', 'globalThis', 'setTimeout', 'Object', 'Math', 'JSON', 'Headers'];
    // oxlint-disable-next-line no-new-func, no-implied-eval -- loads the generated code
    const execute = new Function(...globals, `${code}\nreturn execute;`)(...globals.map(trap)) as unknown;
    expect({ type: typeof execute, used }).toEqual({ type: 'function', used: [] });
  });
});
