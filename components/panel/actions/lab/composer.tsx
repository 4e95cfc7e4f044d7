/** Composes a log record or an analytics event, as a form and as JSON. */
import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { Action } from '../../../../lib/platform-api/action.ts';
import { type Fields, isFields, valueAt, fieldText } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { eventExamples, logExamples } from '../../../../lib/extension/panel/actions/lab/examples.ts';
import type { TriggerLab } from '../../../../lib/extension/panel/actions/lab/lab.ts';
import { unreadableOf } from '../../../../lib/platform-api/lists/unreadable.ts';
import { PayloadEditor } from '../../shared/payload-editor.tsx';
import { UnreadableNote } from '../../shared/unreadable-note.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Button, Combobox, EmptyState } from '../../../ui/index.ts';
import { JsonField } from '../edit/json-field.tsx';
import { parseNumber, withCurrent } from '../edit/part.ts';
import { FormTarget, problemAt } from '../edit/form-target.tsx';

export interface ComposerProps {
  lab: TriggerLab;
  actions: readonly Action[];
  onFire: () => void;
}

export function Composer({ lab, actions, onFire }: ComposerProps): JSX.Element {
  const kind = lab.kind.value;
  const dataSources = lab.dataSources.value;
  const examples = useMemo(
    () => (kind === 'log' ? logExamples(dataSources ?? [], actions) : eventExamples(actions)),
    [kind, dataSources, actions],
  );
  return (
    <div class="lab-composer">
      <select
        class="input"
        name="example"
        aria-label="Start from an example"
        value=""
        onChange={(event) => {
          const chosen = examples[Number(event.currentTarget.value)];
          event.currentTarget.value = '';
          if (chosen) lab.replace(chosen.value);
        }}
      >
        <option value="">Start from an example…</option>
        {examples.map(({ label }, index) => (
          <option key={label} value={index}>
            {label}
          </option>
        ))}
      </select>
      {lab.view.value === 'json' ? <Json key={kind} lab={lab} onFire={onFire} /> : <Form lab={lab} onFire={onFire} />}
    </div>
  );
}

function Json({ lab, onFire }: { lab: TriggerLab; onFire: () => void }): JSX.Element {
  const id = useId();
  const error = lab.jsonError.value;
  const [first] = lab.problems.value;
  const check = { offset: error?.offset ?? null, problem: first ? { code: 'INVALID', message: first.message } : null };
  return (
    <FormTarget path="" problems={lab.problems.value} class="lab-json">
      <PayloadEditor
        key={lab.rejectedTexts.value}
        name="lab-json"
        label={lab.kind.value === 'log' ? 'Log record (JSON)' : 'Analytics event (JSON)'}
        text={lab.text.value}
        problem={check}
        describedBy={id}
        onText={lab.setText}
        onRun={onFire}
      />
      <p id={id} class="problem" aria-live="polite">
        {lab.problems.value.map(({ path, message }) => (
          <span key={path}>
            {path ? <code>{path} </code> : null}
            {message}{' '}
          </span>
        ))}
        {lab.sourceProblem.value}
      </p>
    </FormTarget>
  );
}

function Form({ lab, onFire }: { lab: TriggerLab; onFire: () => void }): JSX.Element {
  const value = lab.draft.value?.value;
  const error = lab.jsonError.value;
  const toJson = (
    <Button
      onClick={() => {
        lab.view.value = 'json';
      }}
    >
      Edit as JSON
    </Button>
  );
  if (!isFields(value))
    return (
      <EmptyState title="The form can’t show this draft" actions={toJson}>
        <p>{error ? error.message : lab.problems.value[0]?.message}</p>
      </EmptyState>
    );
  return lab.kind.value === 'log' ? (
    <LogForm lab={lab} value={value} onFire={onFire} />
  ) : (
    <EventForm lab={lab} value={value} onFire={onFire} />
  );
}

function LogForm({ lab, value, onFire }: { lab: TriggerLab; value: Fields; onFire: () => void }): JSX.Element {
  const problems = lab.problems.value;
  const sources = (lab.dataSources.value ?? []).map(({ id, name }) => ({
    value: String(id),
    label: `${name} (${id})`,
  }));
  const text = (name: string): string => fieldText(value[name]);
  return (
    <div class="lab-form">
      <UnreadableNote list={unreadableOf(lab.dataSources.value)} what="data source" />
      <FormTarget path="/type" problems={problems}>
        <Field
          name="log-type"
          label="Type"
          value={text('type')}
          problem={problemAt(problems, '/type')}
          onInput={(type) => lab.set('/type', type)}
        />
      </FormTarget>
      <FormTarget path="/dataSourceId" problems={problems}>
        <Combobox
          name="log-source"
          label="Data source"
          labelShown
          free
          options={sources}
          placeholder="none"
          value={text('dataSourceId')}
          problem={problemAt(problems, '/dataSourceId') ?? lab.sourceProblem.value}
          onPick={(id) => lab.set('/dataSourceId', parseNumber(id))}
        />
      </FormTarget>
      <FormTarget path="/dataSourceEntryId" problems={problems}>
        <Field
          name="log-entry"
          label="Entry ID"
          placeholder="none"
          value={text('dataSourceEntryId')}
          problem={problemAt(problems, '/dataSourceEntryId')}
          onInput={(id) => lab.set('/dataSourceEntryId', parseNumber(id))}
        />
      </FormTarget>
      <FormTarget path="/data" problems={problems} class="lab-data">
        <JsonField
          name="log-data"
          label="Data"
          value={value['data']}
          problem={problemAt(problems, '/data')}
          onValue={(data) => lab.set('/data', data)}
          onSave={onFire}
        />
      </FormTarget>
    </div>
  );
}

const TYPES = [
  { value: 'analytics.event', label: 'event' },
  { value: 'analytics.pageView', label: 'page view' },
];

function EventForm({ lab, value, onFire }: { lab: TriggerLab; value: Fields; onFire: () => void }): JSX.Element {
  const problems = lab.problems.value;
  const data = valueAt(value, '/data');
  const isEvent = value['type'] !== 'analytics.pageView';
  const text = (name: string): string => (isFields(data) ? fieldText(data[name]) : '');
  return (
    <div class="lab-form">
      <FormTarget path="/type" problems={problems}>
        <Select
          name="event-type"
          label="Type"
          value={fieldText(value['type'])}
          options={withCurrent(TYPES, value['type'])}
          problem={problemAt(problems, '/type')}
          onChange={(type) => lab.set('/type', type)}
        />
      </FormTarget>
      {isEvent
        ? ['category', 'action'].map((name) => (
            <FormTarget key={name} path={`/data/${name}`} problems={problems}>
              <Field
                name={`event-${name}`}
                label={name === 'category' ? 'Category' : 'Action'}
                value={text(name)}
                problem={problemAt(problems, `/data/${name}`)}
                onInput={(next) => lab.set(`/data/${name}`, next)}
              />
            </FormTarget>
          ))
        : null}
      <FormTarget path="/data/_pageId" problems={problems}>
        <Field
          name="event-page"
          label="_pageId"
          placeholder="current screen"
          value={text('_pageId')}
          problem={problemAt(problems, '/data/_pageId')}
          onInput={(id) => lab.set('/data/_pageId', parseNumber(id) ?? undefined)}
        />
      </FormTarget>
      <FormTarget path="/data" problems={problems.filter(({ path }) => path === '/data')} class="lab-data">
        <JsonField
          name="event-data"
          label="Data"
          value={data}
          problem={problems.find(({ path }) => path === '/data')?.message ?? null}
          onValue={(next) => lab.set('/data', next)}
          onSave={onFire}
        />
      </FormTarget>
    </div>
  );
}
