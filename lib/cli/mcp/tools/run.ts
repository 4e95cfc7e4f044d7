/** Runs an action in a browser, with mocks instead of everything that could change something. */
import * as v from 'valibot';
import { CodedError, type Mock } from '../../../platform-api/index.ts';
import { runAction, type RunQuestion } from '../../operations/run.ts';
import { actionToRun } from '../../run/action-to-run.ts';
import { STAYING_PACKAGES } from '../../../debugging/mocks/dry-run.ts';
import { defineTool, described } from '../tool.ts';
import { action, app, checkMocks, keepRecording, mocks, object, PAGE } from './shared.ts';

const Packages = v.optional(v.pipe(v.array(v.pipe(v.string(), v.nonEmpty(), v.maxLength(200))), v.maxLength(20)), []);

/** A mock has one of these outcomes. */
const MOCK_EXAMPLES: Mock[] = [
  { target: { path: '/0' }, outcome: { value: 1 } },
  { target: { package: 'a.b' }, condition: 'currentItem.id === 3', outcome: { error: { message: 'x' } } },
  { target: { path: '/1' }, outcome: { skip: true } },
];

export const runActionTool = defineTool({
  name: 'run_action',
  description: `Run the working copy of an action on its debug page in a browser, and record it. Functions that could change or send something are mocked: they do nothing. mocks: ${JSON.stringify(MOCK_EXAMPLES)}.`,
  writes: true,
  isHeavy: true,
  entries: {
    app,
    action,
    payload: v.optional(object, {}),
    mocks,
    call: described(Packages, 'Function packages to really call. Needs --allow-writes.'),
    engine: v.optional(v.picklist(['ours', 'platform']), 'ours'),
  },
  handler: async (
    { app: given, action: wanted, payload: object, mocks: givenMocks = [], call: real, engine },
    call,
  ) => {
    const { session, signal } = call;
    if (real.length > 0) call.requireWrites('really call functions');
    const appId = session.app(given);
    const payload = JSON.stringify(object);
    const checked = checkMocks(givenMocks);
    const { actionId, name } = await actionToRun(session.connection, appId, wanted, { signal });
    if (real.length > 0)
      await call.confirm({
        message: `Run action ${name === undefined ? '' : `${session.quoted(name)}, `}ID ${actionId}, of app ${appId} with payload ${session.quoted(payload, 2_100)}, and really call ${real.map((name) => session.quoted(name, 200)).join(', ')}?`,
        change: ['run_action', appId, actionId, payload, checked, real, engine],
      });
    const { connection, options } = session;
    const names = { connection, appId, action: String(actionId), namespace: options.environment.namespace };
    let called: string[] = [];
    const { run, recording } = await runAction(
      { ...names, payload, engine, mocks: checked, mockAllBut: real },
      {
        signal,
        startBrowser: options.startBrowser,
        // The page’s pipeline counts, which can be another one.
        confirm: (question) => {
          called = question.called;
          return requireMocked(question, real);
        },
      },
    );
    const { steps, ...report } = run;
    const done = { ...report, action: { ...report.action, ...(name !== undefined && { name }) }, steps: steps.length };
    const data = { run: { ...done, ...(called.length > 0 && { called }) } };
    if (recording) return { ...keepRecording(recording, session), data };
    return { data, list: { name: 'steps', items: steps.slice(0, PAGE), offset: 0, total: steps.length } };
  },
});

/** Nothing has run yet. */
async function requireMocked({ called }: RunQuestion, real: readonly string[]): Promise<void> {
  const others = called.filter((name) => !STAYING_PACKAGES.has(name) && !real.includes(name));
  if (others.length === 0) return;
  throw new CodedError({
    code: 'FUNCTIONS_NOT_MOCKED',
    message: `These functions would really be called: ${others.join(', ')}. Nothing was run.`,
    hint: 'Give each mock of them an outcome, or name them in “call”.',
  });
}
