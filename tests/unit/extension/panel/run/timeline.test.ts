/** What the timeline’s rows say, and which of them its filters list. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentEvent, AgentEventBody, RemoteValue } from '../../../../../lib/extension/inspector/contract.ts';
import { addEvents } from '../../../../../lib/extension/panel/run/build-trace.ts';
import { conditionWithValues } from '../../../../../lib/extension/panel/run/why/condition-values.ts';
import { pipelineNodes } from '../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { Selection } from '../../../../../lib/extension/panel/run/selection.ts';
import { nodeSummary } from '../../../../../lib/extension/panel/run/step-definition.ts';
import {
  failures,
  nextFailure,
  shownSteps,
  type StepFilter,
  unmatchedSteps,
} from '../../../../../lib/extension/panel/run/timeline/filter.ts';
import { createTimelineRows } from '../../../../../lib/extension/panel/run/timeline/rows.ts';
import { resolvedSettings, settingsSummary } from '../../../../../lib/extension/panel/run/timeline/settings-text.ts';
import { StepTexts } from '../../../../../lib/extension/panel/run/timeline/step-texts.ts';
import { createTrace, type Trace, type TraceStep } from '../../../../../lib/extension/panel/run/trace.ts';
import { signal } from '@preact/signals';
import { cpuTime } from '../../../../support/cpu-time.ts';
import { remote } from './remote.ts';

const SEND_EMAIL = 'com.platform.function.send-email';
const PIPELINE = [
  {
    type: 'loop',
    items: 'records',
    functions: [
      {
        type: 'if',
        conditions: [
          {
            condition: 'currentItem.data.Admin == true',
            functions: [
              {
                functionPackage: SEND_EMAIL,
                name: 'Tell the admin',
                settings: { to: '{{currentItem.data.email}}', subject: 'Hello {{currentItem.data.name}}' },
              },
            ],
          },
        ],
      },
    ],
  },
];
const PEOPLE = [
  { id: 1, data: { name: 'Ada', email: 'ada@example.com', Admin: true } },
  { id: 2, data: { name: 'Bram', email: 'bram@example.com', Admin: false } },
  { id: 3, data: { name: 'Cleo', email: 'cleo@example.com', Admin: true } },
];
const IF = '/0/functions/0';
const EMAIL = `${IF}/conditions/0/functions/0`;

/** Runs the pipeline for these people. Sending an email to the last of them fails. */
function notified(people: readonly { id: number; data: { Admin: boolean } }[] = PEOPLE): Trace {
  const trace = createTrace('r', 0);
  const events: AgentEvent[] = [];
  let step = 0;
  const add = (body: AgentEventBody): void => {
    const n = events.length + 1;
    events.push({ n, runId: 'r', at: n, ...body } as AgentEvent);
  };
  const start = (parent: number | null, path: string, iteration: number[], more: object): number => {
    const started = { parent, path, iteration, stepKind: 'function', name: SEND_EMAIL, settings: remote({}), ...more };
    add({ kind: 'step-started', step: ++step, ...started } as AgentEventBody);
    return step;
  };
  const end = (ended: number, more: object): void =>
    add({ kind: 'step-ended', step: ended, state: 'completed', changes: [], ...more } as AgentEventBody);
  add({
    kind: 'run-started',
    tracing: 'observed',
    payload: remote({}),
    context: remote({ records: people }),
    startedAt: 0,
  });
  const loop = start(null, '/0', [], { stepKind: 'loop', name: 'loop' });
  people.forEach((person, index) => {
    const isLast = index === people.length - 1;
    const changes = [{ path: '/currentItem', after: remote(person) }];
    const decision = start(loop, IF, [index], { stepKind: 'if', name: 'if', changes });
    const state = isLast ? 'failed' : 'completed';
    if (person.data.Admin) {
      const settings = remote({ to: '{{currentItem.data.email}}', subject: 'Hello {{currentItem.data.name}}' });
      const email = start(decision, EMAIL, [index], { settings });
      const error = { code: null, errorType: 'TypeError', errorMessage: 'bad', trace: [], path: EMAIL, iteration: [] };
      end(email, isLast ? { state, error } : {});
    }
    end(decision, { branch: person.data.Admin ? 0 : null, state });
  });
  end(loop, { state: 'failed' });
  return addEvents(trace, events);
}

const stepsAt = (trace: Trace, path: string): TraceStep[] => trace.order.filter((step) => step.path === path);

describe('what a row says', () => {
  const trace = notified();
  const texts = new StepTexts(trace, pipelineNodes(PIPELINE));

  it('names a step as the pipeline does, and shows its settings filled in with recorded values', () => {
    const [first] = stepsAt(trace, EMAIL);
    expect(texts.of(first as TraceStep)).toMatchObject({
      label: 'Tell the admin',
      isNamed: true,
      summary: '→ ada@example.com',
    });
  });

  it('names a step by its function if the pipeline is another one', () => {
    const [first] = stepsAt(trace, EMAIL);
    expect(new StepTexts(trace, []).of(first as TraceStep)).toMatchObject({ label: 'send-email', isNamed: false });
  });

  it('names each iteration by its item', () => {
    expect(stepsAt(trace, IF).map((step) => texts.itemOf(step))).toEqual(['Ada', 'Bram', 'Cleo']);
    expect(
      stepsAt(trace, IF)
        .toReversed()
        .map((step) => new StepTexts(trace, []).itemOf(step)),
    ).toEqual(['Cleo', 'Bram', 'Ada']);
  });

  it('calls an ID an ID, and leaves out a number that the mark already shows', () => {
    const run = notified([
      { id: 4318, data: { Admin: false } },
      { id: 4319, data: { Admin: false } },
    ]);
    expect(stepsAt(run, IF).map((step) => new StepTexts(run, []).itemOf(step))).toEqual(['id 4318', 'id 4319']);
    for (const [index, change] of run.changes.entries()) change.after = remote([1, 7][index]);
    expect(stepsAt(run, IF).map((step) => new StepTexts(run, []).itemOf(step))).toEqual(['', '7']);
  });

  it('shows what a function changed in the context, or else what it returned', () => {
    const outcomeOf = (more: Partial<TraceStep>): string => {
      const [step] = stepsAt(notified(), EMAIL);
      return new StepTexts(trace, []).of({ ...(step as TraceStep), ...more }).outcome;
    };
    const score = { path: '/score', before: remote(83), after: remote(84) };
    expect(outcomeOf({ changes: [score] })).toBe('score → 84');
    expect(outcomeOf({ changes: [score], value: remote('ok') })).toBe('score → 84');
    expect(outcomeOf({ changes: [score, { path: '/records/0/sent', after: remote(true) }] })).toBe(
      'score → 84, 1 more',
    );
    expect(outcomeOf({ changes: [{ path: '/draft', before: remote(1) }] })).toBe('draft removed');
    expect(outcomeOf({ changes: [{ ...score, before: remote(84) }] })).toBe('');
    expect(outcomeOf({ value: remote({ sent: 5 }) })).toBe('→ {sent: 5}');
    expect(outcomeOf({ value: remote(undefined) })).toBe('');
    expect(outcomeOf({ value: remote('x'.repeat(9_999)) }).length).toBeLessThan(60);
    expect(outcomeOf({ state: 'failed', changes: [score] })).toBe('');
  });

  it('shows the condition that decided, with the values that it saw', () => {
    expect(stepsAt(trace, IF).map((step) => texts.of(step).decision)).toEqual([
      '✓ true == true',
      '✗ false == true · no match',
      '✓ true == true',
    ]);
    expect(texts.of(stepsAt(trace, IF)[0] as TraceStep).summary).toBe('currentItem.data.Admin == true');
  });

  it('shows the number of the branch if the conditions are unknown', () => {
    const unknown = new StepTexts(trace, []);
    expect(stepsAt(trace, IF).map((step) => unknown.of(step).decision)).toEqual(['branch 1', 'no match', 'branch 1']);
  });

  it('shows no values of a context that isn’t recorded', () => {
    const lost = new StepTexts({ ...trace, dropped: 3 }, pipelineNodes(PIPELINE));
    expect(lost.itemOf(stepsAt(trace, IF)[1] as TraceStep)).toBe('');
    expect(lost.of(stepsAt(trace, EMAIL)[0] as TraceStep).summary).toBe('→ {{currentItem.data.email}}');
  });

  it('bounds names and items of a hostile page, and keeps them on a line', () => {
    const people = [{ id: 1, data: { Admin: true, name: `line\nbreak\u0000${'x'.repeat(50_000)}` } }];
    const hostile = notified(people);
    const nodes = pipelineNodes([{ type: 'loop', items: 'records', name: 'n'.repeat(9_999), functions: [] }]);
    const rows = new StepTexts(hostile, nodes);
    expect(rows.itemOf(stepsAt(hostile, IF)[0] as TraceStep)).toMatch(/^line break x{20,80}…$/);
    expect(rows.of(hostile.order[0] as TraceStep).label).toHaveLength(81);
  });
});

describe('20,000 iterations', () => {
  const many = notified(Array.from({ length: 20_000 }, (_, id) => ({ id, data: { Admin: false, name: `n${id}` } })));
  let rows: StepTexts;
  let read = 0;
  beforeEach(() => {
    read = 0;
    const changes = new Proxy(many.changes, {
      get(target, key, receiver) {
        read++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    rows = new StepTexts({ ...many, changes }, pipelineNodes(PIPELINE));
  });

  it('find their items by reading each change once', () => {
    expect(stepsAt(many, IF).filter((step) => rows.itemOf(step) === 'n19999')).toHaveLength(1);
    expect(read).toBeLessThanOrEqual(many.changes.length);
  });

  it('restore each context from the previous one when they are searched', () => {
    const textOf = (step: TraceStep): string => rows.searchText(step);
    const filter = { choice: { kind: 'all' }, query: 'n19999', hidesUnmatched: false, textOf } as const;
    expect(shownSteps(many, filter).size).toBe(2);
    expect(read).toBeLessThanOrEqual(many.changes.length);
  });
});

describe('searching 20,000 iterations over 20,000 records', () => {
  const people = Array.from({ length: 20_000 }, (_, id) => ({ id, data: { Admin: true, name: `n${id}`, email: '' } }));
  const trace = notified(people);
  const searched = (pipeline: unknown, query: string): number => {
    const rows = new StepTexts(trace, pipelineNodes(pipeline));
    const textOf = (step: TraceStep): string => `${rows.searchText(step)} ${rows.of(step).decision}`;
    return shownSteps(trace, { choice: { kind: 'all' }, query, hidesUnmatched: false, textOf }).size;
  };
  const ifOf = (condition: string) => [
    { type: 'loop', items: 'records', functions: [{ type: 'if', conditions: [{ condition }] }] },
  ];

  it.each(['records[19999].id == currentItem.id', 'records == currentItem'])(
    'doesn’t read all records for each condition: %s',
    (condition) => {
      expect(cpuTime(() => expect(searched(ifOf(condition), '✓')).toBe(20_001))).toBeLessThan(4_000);
    },
  );
});

describe('settings on one line', () => {
  const summary = (name: string, settings: unknown, context: unknown = null): string =>
    settingsSummary(name, remote(settings), context === null ? null : remote(context));

  it('has the settings that distinguish steps of the platform’s packages', () => {
    expect(summary('com.platform.function.set-context', { assign: { v1: '1', obj: '{}' } })).toBe('v1, obj');
    expect(summary('com.platform.function.read-datasource', { dataSourceId: 501 })).toBe('data source 501');
    expect(summary('com.platform.function.http-request', { url: 'https://a.example' })).toBe('GET https://a.example');
    expect(summary(SEND_EMAIL, { to: '' })).toBe('');
  });

  it.each(['constructor', '__proto__', 'toString', 'valueOf'])('has those of a package named %s', (name) => {
    expect(summary(`com.platform.function.${name}`, { a: 'b' })).toBe('a: b');
  });

  it('has the first short settings of other packages', () => {
    expect(summary('com.example.scan', { deep: { a: 1 }, mode: 'fast', retries: 3, dry: false, more: 1 })).toBe(
      'mode: fast, retries: 3, dry: false',
    );
  });

  it('fills in paths, and leaves other expressions as they are', () => {
    const settings = { to: '{{ person.email }}, {{people.length}} others, {{a + b}}' };
    expect(summary(SEND_EMAIL, settings, { person: { email: 'ada@example.com' }, people: [1, 2], a: 1, b: 2 })).toBe(
      '→ ada@example.com, 2 others, {{a + b}}',
    );
  });

  it('fills in no value that isn’t certain: of maps, sets, and what objects inherit', () => {
    const entries: [string, RemoteValue][] = [['size', { t: 'number', v: 7 }]];
    const ofClass = (name: string): RemoteValue => ({ t: 'object', name, size: 1, entries });
    const context: RemoteValue = {
      t: 'object',
      size: 3,
      entries: [
        ['map', ofClass('Map')],
        ['set', ofClass('Set')],
        ['box', ofClass('Box')],
      ],
    };
    const to = (text: string): string => settingsSummary(SEND_EMAIL, remote({ to: text }), context);
    expect(to('{{map.size}} {{set.size}} {{box.area}}')).toBe('→ {{map.size}} {{set.size}} {{box.area}}');
    expect(to('{{box.size}}')).toBe('→ 7');
  });

  it('fills in what the function fills in: an expression ends where its grammar says', () => {
    const to = (text: string) => summary(SEND_EMAIL, { to: text }, { a: 1, when: new Date(0), big: 10n });
    expect(to('{{ {x: {y: a}} }} {{a}}')).toBe('→ {{ {x: {y: a}} }} 1');
    expect(to(`{{'{{a}}'}} {{a}}`)).toBe(`→ {{'{{a}}'}} 1`);
    expect(to('{{a} {{a}}')).toBe('→ {{a} {{a}}');
    expect(to('{{when}} {{big}}')).toBe('→ 1970-01-01T00:00:00.000Z 10');
  });

  it('shows templates in the pipeline tree', () => {
    const node = pipelineNodes(PIPELINE).find(({ path }) => path === EMAIL);
    expect(node && nodeSummary(node)).toBe('→ {{currentItem.data.email}}');
  });
});

describe('resolved settings', () => {
  const context = remote({ person: { email: 'ada@example.com' }, count: 3 });
  const resolved = (recorded: unknown, defined: unknown = null) =>
    resolvedSettings(remote(recorded), defined === null ? null : remote(defined), context);

  it('lists the settings with expressions, with their definition and their value', () => {
    expect(resolved({ to: '{{person.email}}', limit: '{{count}}', subject: 'Hello', list: ['{{missing}}'] })).toEqual([
      { path: '/to', defined: remote('{{person.email}}'), received: remote('ada@example.com') },
      { path: '/limit', defined: remote('{{count}}'), received: remote(3) },
    ]);
  });

  it('lists what a runtime filled in before it called the function', () => {
    expect(resolved({ to: 'bob@example.com', nested: { a: 1 } }, { to: '{{who}}', nested: { a: 1 } })).toEqual([
      { path: '/to', defined: remote('{{who}}'), received: remote('bob@example.com') },
    ]);
  });
});

it('resolves settings that differ only at the end of a long text', () => {
  const long = 'x'.repeat(3_000);
  const resolved = resolvedSettings(remote({ a: `${long}{{name}}`, b: long }), null, remote({ name: 'Ada' }));
  expect(resolved.map(({ path }) => path)).toEqual(['/a']);
});

describe('a condition with values', () => {
  const context = remote({ item: { role: 'planner', tags: ['a'] }, limit: 3 });

  it('replaces names and paths, but not text in quotes', () => {
    expect(conditionWithValues("item.role === 'item.role' && item.tags.length < limit", context)).toBe(
      `"planner" === 'item.role' && 1 < 3`,
    );
  });

  it('is unknown if no name is recorded', () => {
    expect(conditionWithValues('other > 1', context)).toBeNull();
  });
});

describe('the timeline’s filters', () => {
  const trace = notified();
  const texts = new StepTexts(trace, pipelineNodes(PIPELINE));
  const shown = (filter: Partial<StepFilter>): string[] => {
    const all = {
      choice: { kind: 'all' },
      query: '',
      hidesUnmatched: false,
      textOf: (step: TraceStep) => texts.searchText(step),
    } as const;
    const ids = shownSteps(trace, { ...all, ...filter });
    return trace.order
      .filter(({ id }) => ids.has(id))
      .map(({ path, iteration }) => `${path} ${iteration.join()}`.trim());
  };

  it('hide iterations in which no condition was true', () => {
    expect([...unmatchedSteps(trace)].map((id) => trace.steps.get(id)?.iteration)).toEqual([[1]]);
    expect(shown({ hidesUnmatched: true })).toEqual(['/0', `${IF} 0`, `${EMAIL} 0`, `${IF} 2`, `${EMAIL} 2`]);
  });

  it('list failed steps with the steps that contain them', () => {
    expect(shown({ choice: { kind: 'failed' } })).toEqual(['/0', `${IF} 2`, `${EMAIL} 2`]);
  });

  it('list the steps at one place, the slowest steps, and those whose text matches', () => {
    expect(shown({ choice: { kind: 'path', path: EMAIL } })).toHaveLength(5);
    expect(shown({ choice: { kind: 'slow' } })).toContain(`${EMAIL} 0`);
    expect(shown({ query: 'cleo' })).toEqual(['/0', `${IF} 2`, `${EMAIL} 2`]);
    expect(shown({ query: 'typeerror' })).toEqual(['/0', `${IF} 2`, `${EMAIL} 2`]);
    expect(shown({ query: 'nothing has this' })).toEqual([]);
  });

  it('keep the row of an iteration whose first step doesn’t match', () => {
    const rows = createTimelineRows(trace, {
      collapsed: new Set(),
      filter: { choice: { kind: 'path', path: EMAIL }, query: '', hidesUnmatched: false, textOf: () => '' },
    })();
    expect(rows.map(({ kind, step }) => `${kind} ${step.path} ${step.iteration.join()}`.trim())).toEqual([
      'step /0',
      `iteration ${IF} 0`,
      `step ${IF} 0`,
      `step ${EMAIL} 0`,
      `iteration ${IF} 2`,
      `step ${IF} 2`,
      `step ${EMAIL} 2`,
    ]);
  });

  it('go from failure to failure, and start again after the last one', () => {
    const [failure] = failures(trace);
    expect(failure).toMatchObject({ path: EMAIL, iteration: [2] });
    expect(nextFailure(trace, null, 1)).toBe(failure);
    expect(nextFailure(trace, failure?.id ?? null, 1)).toBe(failure);
    expect(nextFailure(trace, 1, -1)).toBe(failure);
    expect(nextFailure({ order: [], steps: new Map() }, null, 1)).toBeNull();
  });

  it('show a failure that was filtered out or below a collapsed row', () => {
    const run = { record: { id: 'r' }, trace } as never;
    const selection = new Selection({ shown: signal(run), version: signal(0) } as never);
    selection.clear();
    selection.setFilter({ query: 'nothing has this' });
    const containing = [1, stepsAt(trace, IF)[2]?.id].map(String);
    for (const key of [...containing, '2']) selection.setRowCollapsed(key, true);
    selection.selectFailure(1);
    expect(selection.step.value).toBe(failures(trace)[0]?.id);
    expect([...selection.collapsedRows.value]).toEqual(['2']);
    expect(selection.filter.value.query).toBe('');
    selection.setFilter({ choice: { kind: 'failed' }, query: 'nothing has this' });
    selection.selectFailure(1);
    expect(selection.filter.value).toMatchObject({ choice: { kind: 'failed' }, query: '' });
    selection.dispose();
  });
});
