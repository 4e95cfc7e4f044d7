/** The triggers section of the form. Adds triggers from templates, each with its `where` filter. */
import type { JSX } from 'preact';
import type { DataSource } from '../../../../lib/platform-api/data-source.ts';
import { unknownDataSource, newEntryFilter } from '../../../../lib/extension/panel/actions/data-sources.ts';
import {
  type Fields,
  isFields,
  withItem,
  without,
  fieldText,
} from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { Select } from '../../../ui/field.tsx';
import { Button } from '../../../ui/index.ts';
import { type PartProps, withCurrent } from './part.ts';
import { JsonField } from './json-field.tsx';
import { FormTarget, problemAt } from './form-target.tsx';

const KINDS = [
  { value: 'manual', label: 'manual: on demand' },
  { value: 'schedule', label: 'schedule: at the frequency below' },
  { value: 'log', label: 'log: for a new log record' },
  { value: 'analytics', label: 'analytics: for an event in the app' },
];

const templates = (dataSources: readonly DataSource[]): { label: string; trigger: Fields }[] => [
  { label: 'manual', trigger: { trigger: 'manual' } },
  { label: 'schedule', trigger: { trigger: 'schedule' } },
  { label: 'log: new data source entry', trigger: { trigger: 'log', where: newEntryFilter(dataSources) } },
  { label: 'log: app published', trigger: { trigger: 'log', where: { type: 'app.publish' } } },
  {
    label: 'analytics: page view',
    trigger: { trigger: 'analytics', where: { type: 'analytics.pageView', data: { _pageId: 1 } } },
  },
  {
    label: 'analytics: event',
    trigger: {
      trigger: 'analytics',
      where: { type: 'analytics.event', data: { category: 'button', action: 'press' } },
    },
  },
];

interface Sources {
  /** Null until loaded. */
  dataSources: readonly DataSource[] | null;
}

export function TriggersForm({ value, problems, set, onSave, dataSources }: PartProps & Sources): JSX.Element {
  const { triggers } = value;
  const options = templates(dataSources ?? []);
  const list = Array.isArray(triggers) ? (triggers as unknown[]) : [];
  const add = (index: string): void => {
    const template = options[Number(index)];
    if (template && index !== '') set('/triggers', withItem(list, '', list.length, template.trigger));
  };
  return (
    <FormTarget path="/triggers" problems={problems.filter(({ path }) => path === '/triggers')}>
      <fieldset class="edit-part">
        <legend>Triggers</legend>
        {Array.isArray(triggers) ? null : <p class="problem">{problemAt(problems, '/triggers')}</p>}
        {list.length === 0 ? <p class="remark">No triggers</p> : null}
        <ul class="edit-triggers">
          {list.map((trigger, index) => (
            <li key={index} data-trigger={index}>
              <TriggerForm
                at={`/triggers/${index}`}
                number={index + 1}
                trigger={isFields(trigger) ? trigger : {}}
                problems={problems}
                set={set}
                onSave={onSave}
                dataSources={dataSources}
                onRemove={() => set('/triggers', without(list, `/${index}`))}
              />
            </li>
          ))}
        </ul>
        <select
          class="input edit-add"
          name="add-trigger"
          aria-label="Add trigger"
          value=""
          onChange={(event) => {
            add(event.currentTarget.value);
            event.currentTarget.value = '';
          }}
        >
          <option value="">Add trigger…</option>
          {options.map(({ label }, index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </fieldset>
    </FormTarget>
  );
}

function TriggerForm({
  at,
  number,
  trigger,
  problems,
  set,
  onSave,
  onRemove,
  dataSources,
}: Omit<PartProps, 'value'> &
  Sources & { at: string; number: number; trigger: Fields; onRemove: () => void }): JSX.Element {
  const kind = fieldText(trigger['trigger']);
  const hasWhere = kind === 'log' || kind === 'analytics' || trigger['where'] !== undefined;
  // Show problems with the trigger as a whole at its type.
  const wrong = problems.filter(
    ({ path }) => path === at || (path.startsWith(`${at}/`) && !path.startsWith(`${at}/where`)),
  );
  const unknown = kind === 'log' ? unknownDataSource(trigger['where'], dataSources) : null;
  return (
    <>
      <FormTarget path={`${at}/trigger`} problems={wrong}>
        <Select
          name={`trigger-${number}`}
          label={`Trigger ${number}`}
          labelHidden
          value={kind}
          options={withCurrent(KINDS, kind)}
          problem={wrong.map(({ message }) => message).join(' ') || null}
          onChange={(next) => set(`${at}/trigger`, next)}
        />
      </FormTarget>
      {hasWhere ? (
        <FormTarget path={`${at}/where`} problems={problems} class="edit-where">
          <JsonField
            name={`where-${number}`}
            label={`where filter of trigger ${number}`}
            shownLabel={
              <>
                <code>where</code> {kind === 'analytics' ? 'the event has' : 'the log record has'}
              </>
            }
            value={trigger['where']}
            problem={problemAt(problems, `${at}/where`) ?? (unknown && `${unknown}, so this trigger never fires.`)}
            onValue={(where) => set(`${at}/where`, where)}
            onSave={onSave}
          />
        </FormTarget>
      ) : (
        <span class="edit-where" />
      )}
      <Button kind="quiet" label={`Remove trigger ${number}`} onClick={onRemove}>
        ✕
      </Button>
    </>
  );
}
