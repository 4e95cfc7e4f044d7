/** Fuzzes messages: the background worker responds with a value or a coded refusal, and does no harm. */
import * as fc from 'fast-check';
import { receive } from '../../lib/extension/messaging/receive.ts';
import { RULES } from '../../lib/extension/messaging/rules.ts';
import { assertCoded, check, Finding } from './check.ts';
import { json, live, spoiled, word } from './inputs.ts';

export const name = 'messages';

const APP = { environmentId: 'e', appId: 7 };
const ACTION = { ...APP, actionId: 3 };
const DRAFT = {
  name: 'EU',
  preset: 'eu',
  baseUrl: 'https://api.example.com',
  namespace: 'Platform',
  production: true,
  token: 'eu-token-0123456789-abcd',
};
const RELEASE = { type: 'visible', changelog: 'What is new' };
const EDIT = {
  name: 'a',
  environment: 'server',
  functions: [{ functionPackage: 'p', settings: {} }],
  triggers: [{ trigger: 'log', where: { type: 'x' } }],
};
/** Valid arguments of messages. Arguments of another message make good invalid inputs. */
const TAKES = [
  undefined,
  DRAFT,
  { id: 'e' },
  { draft: DRAFT },
  { baseUrl: 'https://api.example.com' },
  { environmentId: 'e' },
  APP,
  ACTION,
  { ...APP, limit: 10, offset: 0 },
  { ...APP, action: EDIT },
  { ...ACTION, change: { ...EDIT, revision: 2 } },
  { ...ACTION, publish: true, revision: 1 },
  { ...ACTION, payload: { a: 1 } },
  { ...APP, query: { limit: 5, type: 'app.action.completed', where: { data: { a: [1] } } } },
  { ...APP, log: { type: 'x.y', data: { a: 1 }, dataSourceId: 1 } },
  { environmentId: 'e', to: '2026-11-20T12:00:00Z' },
  { environmentId: 'e', tabId: 1, appId: 7, taskId: 9, leaveFirst: true },
  { ...APP, tabId: 1, page: 'live', screen: 2 },
  { ...APP, id: 'x', appName: 'A', release: RELEASE, expected: { version: 1, updatedAt: '2026-11-20T12:00:00Z' } },
  { ids: ['a', 'b'] },
  {
    text: '{"format":"platform-devtools-environments","version":1,"environments":[]}',
    passphrase: 'correct horse battery',
  },
  { passphrase: 'correct horse battery', idleMinutes: 15 },
  { current: 'correct horse battery', passphrase: 'correct horse battery staple' },
];
const NAMES = Object.keys(RULES);
const OURS = { id: 'ours', url: 'chrome-extension://ours/' };
const PAGES = ['options', 'panel', 'popup', 'app'].map((page) => ({ ...OURS, url: `${OURS.url}${page}.html?x#y` }));
const STRANGERS = [
  {},
  { id: 'ours' },
  OURS,
  { id: 'theirs', url: 'chrome-extension://ours/options.html' },
  { id: 'ours', url: 'https://example.com/options.html' },
  { id: 'ours', url: 'chrome-extension://ours/options.html.evil' },
  { id: 'ours', url: 'chrome-extension://ours/options.html/../panel.html' },
];

const inputs = fc.record({
  message: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        to: fc.constant('background'),
        name: fc.constantFrom(...NAMES),
        takes: spoiled(TAKES, fc.oneof(json, live)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        to: fc.oneof(fc.constant('background'), live),
        name: fc.oneof(fc.constantFrom(...NAMES), word, live),
        takes: live,
      }),
    },
    { weight: 1, arbitrary: live },
  ),
  sender: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...PAGES) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom(...STRANGERS),
        fc.record({ id: fc.constantFrom('ours', 'theirs'), url: word }),
      ),
    },
  ),
  outcome: fc.record({ throws: fc.boolean(), value: live }),
});

export function fuzz(runs: number, seed: number): Promise<void> {
  return check(runs, seed, inputs, async ({ message, sender, outcome }) => {
    let handled = 0;
    const handle = (): Promise<unknown> => {
      handled++;
      // Wrapped: a response is data, and never a thenable.
      return outcome.throws ? Promise.reject(outcome.value) : Promise.resolve({ value: outcome.value }.value);
    };
    const handlers = Object.fromEntries(NAMES.map((name) => [name, handle])) as unknown as Parameters<
      typeof receive
    >[0];
    const result = await receive(
      handlers,
      { id: 'ours', getURL: (path) => `chrome-extension://ours${path}` },
      message,
      sender,
    );
    if (handled > 0 && !PAGES.some((page) => JSON.stringify(page) === JSON.stringify(sender)))
      throw new Finding('A stranger’s message was handled.');
    if (handled > 1) throw new Finding('A message was handled twice.');
    if (result.ok) return;
    if (typeof result.error.message !== 'string' || result.error.message === '')
      throw new Finding('A refusal without a sentence.');
    if (handled === 0) assertCoded(result.error);
  });
}
