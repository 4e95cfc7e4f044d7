/** Owns the schedule in the form: the frequency, its zone, and when it runs next. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { isFields, writtenText } from '../../../../lib/extension/panel/actions/edit/pointer.ts';
import { Field } from '../../../ui/field.tsx';
import { Button, Combobox } from '../../../ui/index.ts';
import { NextRuns } from '../next-runs.tsx';
import type { PartProps } from './part.ts';
import { FormTarget, problemAt } from './form-target.tsx';

/** @param isAdded the platform adds a schedule trigger by itself */
export function ScheduleForm({ value, problems, set, isAdded }: PartProps & { isAdded: boolean }): JSX.Element {
  const frequency = writtenText(value['frequency']);
  const timezone = writtenText(value['timezone']);
  const isSound = frequency !== '' && !problems.some(({ path }) => path === '/frequency' || path === '/timezone');
  const { triggers } = value;
  const isHeard = Array.isArray(triggers) && triggers.some((one) => isFields(one) && one['trigger'] === 'schedule');
  const zones = useMemo(
    () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({ value: zone, label: zone })),
    [],
  );
  return (
    <fieldset class="edit-part">
      <legend>Schedule</legend>
      <div class="edit-row">
        <FormTarget path="/frequency" problems={problems} class="edit-frequency">
          <Field
            name="action-frequency"
            label="Frequency"
            placeholder="0 7 * * MON"
            hint="minute, hour, day of month, month, day of week"
            value={frequency}
            problem={problemAt(problems, '/frequency')}
            onInput={(text) => set('/frequency', text.trim() === '' ? null : text)}
          />
        </FormTarget>
        <FormTarget path="/timezone" problems={problems} class="edit-zone">
          <Combobox
            name="action-timezone"
            label="Zone"
            labelShown
            free
            options={zones}
            value={timezone}
            problem={problemAt(problems, '/timezone')}
            onPick={(zone) => set('/timezone', zone)}
          />
        </FormTarget>
      </div>
      {isSound ? <NextRuns frequency={frequency} timezone={timezone} /> : null}
      {isSound && !isHeard && Array.isArray(triggers) ? (
        <p class="remark">
          {isAdded ? 'Saving it adds a schedule trigger.' : 'No trigger is a schedule: it does not run by itself.'}{' '}
          <Button kind="quiet" onClick={() => set('/triggers', [...(triggers as unknown[]), { trigger: 'schedule' }])}>
            Add a schedule trigger
          </Button>
        </p>
      ) : null}
    </fieldset>
  );
}
