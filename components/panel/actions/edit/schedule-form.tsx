/** The schedule section of the form: frequency, time zone, and next runs. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { isFields, fieldText } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { Field } from '../../../ui/field.tsx';
import { Button, Combobox } from '../../../ui/index.ts';
import { NextRuns } from '../next-runs.tsx';
import type { PartProps } from './part.ts';
import { SchedulePreset } from './schedule-preset.tsx';
import { FormTarget, problemAt } from './form-target.tsx';

/** @param isAdded whether the platform will add a schedule trigger */
export function ScheduleForm({ value, problems, set, isAdded }: PartProps & { isAdded: boolean }): JSX.Element {
  const frequency = fieldText(value['frequency']);
  const timezone = fieldText(value['timezone']);
  const isValid = frequency !== '' && !problems.some(({ path }) => path === '/frequency' || path === '/timezone');
  const { triggers } = value;
  const hasTrigger = Array.isArray(triggers) && triggers.some((one) => isFields(one) && one['trigger'] === 'schedule');
  const zones = useMemo(
    () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({ value: zone, label: zone })),
    [],
  );
  return (
    <fieldset class="edit-part">
      <legend>Schedule</legend>
      <div class="edit-row edit-preset">
        <SchedulePreset frequency={frequency} onFrequency={(next) => set('/frequency', next)} />
      </div>
      <div class="edit-row">
        <FormTarget path="/frequency" problems={problems} class="edit-frequency">
          <Field
            name="action-frequency"
            label="Frequency"
            placeholder="0 7 * * MON"
            hint="Cron: minute, hour, day of month, month, day of week"
            value={frequency}
            problem={problemAt(problems, '/frequency')}
            onInput={(text) => set('/frequency', text.trim() === '' ? null : text)}
          />
        </FormTarget>
        <FormTarget path="/timezone" problems={problems} class="edit-zone">
          <Combobox
            name="action-timezone"
            label="Time zone"
            labelShown
            free
            options={zones}
            value={timezone}
            problem={problemAt(problems, '/timezone')}
            onPick={(zone) => set('/timezone', zone)}
          />
        </FormTarget>
      </div>
      {isValid ? <NextRuns frequency={frequency} timezone={timezone} /> : null}
      {isValid && !hasTrigger && Array.isArray(triggers) ? (
        <p class="remark">
          {isAdded
            ? 'Saving adds a schedule trigger.'
            : 'Without a schedule trigger, this action doesn’t run on a schedule.'}{' '}
          <Button kind="quiet" onClick={() => set('/triggers', [...(triggers as unknown[]), { trigger: 'schedule' }])}>
            Add schedule trigger
          </Button>
        </p>
      ) : null}
    </fieldset>
  );
}
