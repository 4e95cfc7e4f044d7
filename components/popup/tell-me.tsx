/** Owns the offer to tell by a notification how a publish ended while the popup was closed. */
import type { JSX } from 'preact';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { Checkbox } from '../ui/checkbox.tsx';

export function TellMe({ popup: { tells, tellsRefused, setTells } }: { popup: Popup }): JSX.Element | null {
  if (tells.value === null) return null;
  return (
    <div class="tell-me">
      <Checkbox
        name="tell"
        label="Tell me by a notification when it ends"
        checked={tells.value}
        onChange={(on) => void setTells(on)}
      />
      <span role="status" class="why">
        {tellsRefused.value ? 'The browser shows none: the mark on the button tells.' : ''}
      </span>
    </div>
  );
}
