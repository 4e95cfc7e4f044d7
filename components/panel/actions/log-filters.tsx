/** The log's filters: what is asked of the platform, and below it the search in the loaded records. */
import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { LogOutcome } from '../../../lib/platform-api/log.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { LAST_TIMES, type TimeRange } from '../../../lib/extension/panel/actions/time-range.ts';
import { STALE_FOR_SEARCH } from '../../../lib/extension/panel/shell/catalog.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Combobox } from '../../ui/index.ts';

const TYPES: [value: string, label: string][] = [
  ['', 'Runs'],
  ['app.action.completed', 'Completed on-demand runs'],
  ['app.task.completed', 'Completed scheduled or triggered runs'],
  ['dataSource.entry.create', 'New data source entries'],
  ['app.publish', 'Releases'],
  ['*', 'Everything'],
];
const OUTCOMES: [value: LogOutcome | '', label: string][] = [
  ['', 'Any outcome'],
  ['completed', 'Completed'],
  ['failed', 'Failed'],
];

type Logs = ActionsState['logs'];

/** Filters that the platform applies. */
export function LogQueryBar({ panel, logs }: { panel: Panel; logs: Logs }): JSX.Element {
  const id = useId();
  const filters = logs.filters.value;
  const problem = logs.whereProblem.value ?? logs.timeProblem.value;
  const limited = panel.catalog.backend.value?.cannot.logFilters ?? null;
  const isLimiting = limited !== null && (filters.outcome !== '' || logs.isTimeLimited.value);
  return (
    <div class="log-query" role="group" aria-label="Query">
      <ActionFilter panel={panel} logs={logs} />
      <Choice
        name="log-type"
        label="Type"
        options={TYPES}
        value={filters.type}
        onChange={(type) => logs.setFilters({ type })}
      />
      <Choice
        name="log-outcome"
        label="Outcome"
        options={OUTCOMES}
        value={filters.outcome}
        onChange={(outcome) => logs.setFilters({ outcome })}
      />
      <TimeFilter time={filters.time} onTime={(time) => logs.setFilters({ time })} />
      <label class="where">
        <code>where</code>
        <EnteredText
          class="input mono"
          name="log-where"
          aria-label="where filter (JSON)"
          placeholder={'{"data": {"mode": "scheduled"}}'}
          text={filters.where}
          aria-invalid={logs.whereProblem.value ? 'true' : undefined}
          aria-describedby={`${id}-problem`}
          onText={(where) => logs.setFilters({ where })}
        />
      </label>
      <span id={`${id}-problem`} class="where-problem" aria-live="polite">
        {problem}
      </span>
      {isLimiting ? (
        <p class="remark" data-log-limit="">
          {limited} Only the loaded records are filtered.
        </p>
      ) : null}
    </div>
  );
}

type EnteredTextProps = JSX.IntrinsicElements['input'] & { text: string; onText: (text: string) => void };

/** A field that takes its text on Enter or when it loses focus, so that nothing replaces it while typing. */
function EnteredText({ text, onText, ...attributes }: EnteredTextProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.value = text;
  }, [text]);
  return (
    <input
      {...attributes}
      ref={input}
      spellcheck={false}
      autocomplete="off"
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}

interface ChoiceProps<Value extends string> {
  name: string;
  label: string;
  options: readonly [value: Value, label: string][];
  value: Value;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ name, label, options, value, onChange }: ChoiceProps<Value>): JSX.Element {
  return (
    <select
      class="input"
      name={name}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  );
}

const ANY = 'any';
const CUSTOM = 'custom';
const TIMES: [value: string, label: string][] = [
  [ANY, 'Any time'],
  ...LAST_TIMES.map(({ last, label }): [string, string] => [String(last), label]),
  [CUSTOM, 'Custom range'],
];

function TimeFilter({ time, onTime }: { time: TimeRange; onTime: (time: TimeRange) => void }): JSX.Element {
  const isCustom = 'from' in time;
  const choose = (value: string): void =>
    onTime(value === CUSTOM ? { from: '', to: '' } : { last: value === ANY ? null : Number(value) });
  return (
    <>
      <Choice
        name="log-time"
        label="Time"
        options={TIMES}
        value={isCustom ? CUSTOM : String(time.last ?? ANY)}
        onChange={choose}
      />
      {isCustom
        ? (['from', 'to'] as const).map((end) => (
            <label key={end} class="log-time" title="In this computer’s time zone. “To” is excluded">
              {end === 'from' ? 'From' : 'To'}
              <EnteredText
                class="input"
                name={`log-${end}`}
                placeholder="2026-11-23 14:03"
                text={time[end]}
                onText={(text) => onTime({ ...time, [end]: text })}
              />
            </label>
          ))
        : null}
    </>
  );
}

function ActionFilter({ panel, logs }: { panel: Panel; logs: Logs }): JSX.Element {
  const { actionId } = logs.filters.value;
  const actions = panel.catalog.actions.value.value ?? [];
  const options = useMemo(
    () => [
      { value: '', label: 'All actions' },
      ...actions.map((action) => ({ value: String(action.id), label: action.name, hint: String(action.id) })),
    ],
    [actions],
  );
  return (
    <div class="pick">
      <Combobox
        name="log-action"
        label="Action"
        options={options}
        value={actionId === null ? '' : String(actionId)}
        onNoMatch={() => void panel.catalog.refreshActions({ ifOlderThan: STALE_FOR_SEARCH })}
        onPick={(value) => logs.setFilters({ actionId: value === '' ? null : Number(value) })}
      />
    </div>
  );
}
