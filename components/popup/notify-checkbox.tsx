/** Turns notifications about publish outcomes on and off. */
import type { JSX } from 'preact';
import type { NotificationSetting } from '../../lib/extension/popup/notification-setting.ts';
import { Checkbox } from '../ui/field.tsx';

export function NotifyCheckbox({ setting }: { setting: NotificationSetting }): JSX.Element | null {
  if (setting.isOn.value === null) return null;
  return (
    <div class="notify">
      <Checkbox
        name="notify"
        label="Notify me when publishing ends"
        checked={setting.isOn.value}
        onChange={(on) => void setting.set(on)}
      />
      <span role="status" class="why">
        {setting.wasRefused.value ? 'Notifications aren’t allowed. The toolbar badge shows the outcome.' : ''}
      </span>
    </div>
  );
}
