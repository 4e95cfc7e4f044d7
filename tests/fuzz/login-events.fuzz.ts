/** Fuzzes events of the OAuth2 agent: parser, timeline, sessions, doctor, and exported file never throw. */
import * as fc from 'fast-check';
import { AgentConnection } from '../../lib/extension/inspector/agent-connection.ts';
import { CodedError } from '../../lib/platform-api/index.ts';
import {
  OAuth2InspectorClient,
  type OAuth2Inspector,
  type OAuth2InspectorEvent,
} from '../../lib/extension/inspector/oauth2/inspector.ts';
import {
  parseApiResponse,
  parseBatch,
  parsePage,
  parseProbeResult,
  parseStarted,
} from '../../lib/extension/inspector/oauth2/parse.ts';
import { formatDuration, formatSize, formatTime } from '../../lib/shared/format.ts';
import { explainClaims } from '../../lib/extension/panel/oauth2/claims.ts';
import { checkupOf } from '../../lib/extension/panel/oauth2/doctor/doctor.ts';
import { diagnose } from '../../lib/extension/panel/oauth2/doctor/diagnose.ts';
import { shownOptions } from '../../lib/extension/panel/oauth2/options.ts';
import { expiryText, sessionStateOf } from '../../lib/extension/panel/oauth2/session-state.ts';
import { OAuth2Store } from '../../lib/extension/panel/oauth2/store.ts';
import type { PageService } from '../../lib/extension/panel/oauth2/types.ts';
import { describeEntry } from '../../lib/extension/panel/oauth2/entry-text.ts';
import { assertCoded, check, Finding } from './check.ts';
import { damaged, json, spoiled, word, written } from './inputs.ts';
import { API_ANSWER, LOGIN_EVENTS, LOGIN_READING, PAGE, PROBED } from './samples.ts';
import { texts, viewValue } from './views.ts';

export const name = 'login-events';

const NOW = 1_790_000_100_000;
const ANSWERS = [
  PAGE,
  LOGIN_READING,
  API_ANSWER,
  PROBED,
  { ok: true, id: 1 },
  { ok: false, error: { code: 'SERVICE_UNKNOWN', message: 'm' } },
  'waiting',
  1,
  null,
];
const response = fc.oneof(
  { weight: 4, arbitrary: spoiled(ANSWERS, json).map(written) },
  { weight: 2, arbitrary: damaged(ANSWERS.map(written)) },
  { weight: 3, arbitrary: fc.constantFrom(...ANSWERS.map(written)) },
  { weight: 1, arbitrary: fc.oneof(word, fc.constantFrom('<gone>', '!no-agent')) },
);
const METHODS = ['look', 'reveal', 'act', 'cancel', 'answer', 'probe', 'reloadWithAgent'] as const;
/** With random strings where the library has fixed ones, in any order. */
const events = fc
  .array(
    fc.tuple(
      fc.constantFrom(...LOGIN_EVENTS),
      fc.oneof(
        fc.constant(null),
        fc.tuple(
          fc.nat(),
          fc.oneof(
            word,
            fc.constantFrom(
              'blocked',
              'closed',
              'changed-elsewhere',
              'removed',
              'auth.fail',
              'auth.logout',
              'waiting',
              'failed',
              'unauthorized',
              'refresh_token',
            ),
          ),
        ),
      ),
      fc.oneof(fc.constant('demo'), word),
    ),
    { maxLength: 30 },
  )
  .map((all) =>
    all.map(([event, other, service], index) => ({
      ...event,
      ...(other && worded(event, ...other)),
      service,
      n: index + 1,
    })),
  );

function worded(event: object, which: number, text: string): object {
  const names = Object.entries(event)
    .filter(([key, value]) => typeof value === 'string' && key !== 'kind')
    .map(([key]) => key);
  return { [names[which % names.length]!]: text };
}

const inputs = fc.record({
  page: fc.oneof(spoiled([PAGE], json), fc.constant(PAGE)),
  reading: fc.oneof(
    { weight: 4, arbitrary: events.map((events) => ({ ...LOGIN_READING, events })) },
    { weight: 2, arbitrary: spoiled([LOGIN_READING], json) },
  ),
  responses: fc.array(response, { maxLength: 5 }),
  calls: fc.array(fc.constantFrom(...METHODS), { maxLength: 3 }),
  other: spoiled(ANSWERS, json),
  filter: fc.record({
    text: word,
    service: fc.constantFrom('', 'demo', '__proto__'),
    kind: fc.constantFrom('all', 'login', 'api', 'refresh', 'problems'),
  }),
});

export function fuzz(runs: number, seed: number): Promise<void> {
  return check(runs, seed, inputs, async ({ page, reading, responses, calls, other, filter }) => {
    await ask(responses, calls);
    for (const parse of [parseStarted, parseApiResponse, parseProbeResult]) parse(other);
    const read = {
      page: parsePage(JSON.parse(written(page))),
      reading: parseBatch(JSON.parse(written(reading))),
    };
    let tell: (event: OAuth2InspectorEvent) => void = () => {};
    let saved = '';
    const never = () => Promise.resolve({ ok: false as const, error: { code: 'PAGE_UNREACHABLE', message: 'Gone.' } });
    const inspector: OAuth2Inspector = {
      canReload: true,
      attach: never,
      reveal: never,
      startAction: never,
      cancel: never,
      apiResponse: never,
      probe: never,
      reloadWithAgent: never,
      dispose: () => {},
      subscribe: (listener) => ((tell = listener), () => {}),
    };
    const store = new OAuth2Store({
      inspector,
      namespace: () => 'Platform',
      memory: { getItem: () => null, setItem: () => {} },
      saveFile: (_name, text) => (saved = text),
      allowReload: () => Promise.resolve(false),
      now: () => NOW,
    });
    try {
      if (read.page) tell({ kind: 'page-changed', page: read.page, previous: null, newDocument: true });
      if (read.reading) tell({ kind: 'events', documentId: 'd', events: read.reading.events });
      store.timeline.filter.value = filter as typeof store.timeline.filter.value;
      for (const { title, detail, milliseconds, bytes, started, entries } of store.timeline.flows.value) {
        texts(
          title,
          detail,
          formatTime(started, { now: NOW }),
          milliseconds === null ? '' : formatDuration(milliseconds),
          bytes === null ? '' : formatSize(bytes),
        );
        for (const entry of entries)
          texts(describeEntry(entry).title, describeEntry(entry).detail, describeEntry(entry).tone);
      }
      void store.timeline.rows.value;
      for (const service of read.page?.services ?? []) viewService(service);
      for (const finding of diagnose(store.state.value)) assertCoded({ code: finding.code, message: finding.title });
      for (const { name } of read.page?.services ?? []) checkupOf(store.state.value, name);
      store.exportTimeline();
      JSON.parse(saved);
    } finally {
      store.dispose();
    }
  });
}

function viewService(service: PageService): void {
  texts(sessionStateOf(service, NOW).label);
  for (const { name, meaning, problem } of shownOptions(service.options ?? [])) texts(name, meaning, problem ?? '');
  const { session } = service;
  if (!session) return;
  texts(expiryText(session.expires, session.expiresIn, NOW));
  for (const token of [session.accessToken, session.idToken]) {
    if (!token?.jwt) continue;
    for (const { name, value, meaning } of explainClaims(token.jwt.claims ?? token.jwt.header, NOW))
      texts(name, value, meaning);
    viewValue(token.jwt.header);
  }
}

async function ask(responses: readonly string[], calls: readonly (typeof METHODS)[number][]): Promise<void> {
  let requestCount = 0;
  const evaluate = (expression: string): Promise<string> => {
    if (expression.includes('installed')) return Promise.resolve('installed');
    const next = responses[requestCount++] ?? '<gone>';
    return next === '<gone>'
      ? Promise.reject(new CodedError({ code: 'PAGE_UNREACHABLE', message: 'Gone.' }))
      : Promise.resolve(next);
  };
  const connection = new AgentConnection({ evaluate, reload: () => {} }, () =>
    Promise.resolve('/* agent */ return "installed"'),
  );
  const inspector = new OAuth2InspectorClient(connection, { busy: 0, idle: 0 });
  const call = {
    look: () => inspector.attach(),
    reveal: () => inspector.reveal('demo', ['clientSecret']),
    act: () => inspector.startAction({ action: 'login', service: 'demo' }),
    cancel: () => inspector.cancel(1),
    answer: () => inspector.apiResponse(1),
    probe: () => inspector.probe({ url: 'https://id.example', mode: 'cors' }),
    reloadWithAgent: () => inspector.reloadWithAgent(),
  };
  for (const name of calls) {
    const result = await call[name]();
    if (!result.ok && typeof result.error.code !== 'string') throw new Finding('A refusal without a code.');
  }
  inspector.dispose();
}
