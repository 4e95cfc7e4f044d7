/** A checkbox with its label. */
import type { ComponentChildren, JSX } from 'preact';
import './controls.css';

export interface CheckboxProps {
  name: string;
  label: ComponentChildren;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ name, label, checked, onChange }: CheckboxProps): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
