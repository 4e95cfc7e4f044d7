/** Chooses a common schedule, and writes it as a cron expression. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import {
  atTime,
  DEFAULT_PRESET,
  frequencyOf,
  type Preset,
  presetOf,
  SCHEDULE_KINDS,
  type ScheduleKind,
  timeText,
} from '../../../../lib/extension/panel/actions/edit/schedule-presets.ts';
import { Select } from '../../../ui/field.tsx';

const LABELS: Record<ScheduleKind, string> = {
  minutes: 'Every 5 minutes',
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
  monthly: 'Every month',
};
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const NONE = { value: '', label: 'No schedule' };
const CUSTOM = { value: 'custom', label: 'Custom' };
const numbered = (from: number, to: number): { value: string; label: string }[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ value: String(from + index), label: String(from + index) }));

export interface SchedulePresetProps {
  frequency: string;
  /** Null removes the schedule. */
  onFrequency: (frequency: string | null) => void;
}

export function SchedulePreset({ frequency, onFrequency }: SchedulePresetProps): JSX.Element {
  const preset = presetOf(frequency);
  const isCustom = preset === null && frequency !== '';
  const choose = (kind: string): void => {
    if (kind === '') onFrequency(null);
    const chosen = SCHEDULE_KINDS.find((one) => one === kind);
    if (chosen) onFrequency(frequencyOf({ ...(preset ?? DEFAULT_PRESET), kind: chosen }));
  };
  return (
    <>
      <Select
        name="schedule-preset"
        label="Repeat"
        value={preset?.kind ?? (isCustom ? CUSTOM.value : '')}
        options={[
          NONE,
          ...SCHEDULE_KINDS.map((kind) => ({ value: kind, label: LABELS[kind] })),
          ...(isCustom ? [CUSTOM] : []),
        ]}
        onChange={choose}
      />
      {preset ? <When preset={preset} onPreset={(next) => onFrequency(frequencyOf(next))} /> : null}
    </>
  );
}

interface WhenProps {
  preset: Preset;
  onPreset: (preset: Preset) => void;
}

function When({ preset, onPreset }: WhenProps): JSX.Element | null {
  const { kind, minute, weekday, day } = preset;
  if (kind === 'minutes') return null;
  return (
    <>
      {kind === 'weekly' ? (
        <Select
          name="schedule-weekday"
          label="Day"
          value={String(weekday)}
          options={WEEKDAYS.map((label, index) => ({ value: String(index), label }))}
          onChange={(value) => onPreset({ ...preset, weekday: Number(value) })}
        />
      ) : null}
      {kind === 'monthly' ? (
        <Select
          name="schedule-day"
          label="Day of month"
          hint={day > 28 ? 'Months without this day are skipped' : undefined}
          value={String(day)}
          options={numbered(1, 31)}
          onChange={(value) => onPreset({ ...preset, day: Number(value) })}
        />
      ) : null}
      {kind === 'hourly' ? (
        <Select
          name="schedule-minute"
          label="Minute"
          value={String(minute)}
          options={numbered(0, 59)}
          onChange={(value) => onPreset({ ...preset, minute: Number(value) })}
        />
      ) : (
        <TimeField preset={preset} onPreset={onPreset} />
      )}
    </>
  );
}

function TimeField({ preset, onPreset }: WhenProps): JSX.Element {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class="label">
        Time
      </label>
      <input
        id={id}
        class="input"
        name="schedule-time"
        placeholder="07:00"
        autocomplete="off"
        value={timeText(preset)}
        onChange={(event) => {
          const next = atTime(preset, event.currentTarget.value);
          event.currentTarget.value = timeText(next);
          onPreset(next);
        }}
      />
    </div>
  );
}
