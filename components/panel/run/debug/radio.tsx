/** A radio button with its label. */
import type { ComponentChildren, JSX } from 'preact';

export interface RadioProps {
  name: string;
  value: string;
  label: ComponentChildren;
  checked: boolean;
  onChoose: () => void;
}

export const Radio = ({ name, value, label, checked, onChoose }: RadioProps): JSX.Element => (
  <label class="check">
    <input type="radio" name={name} value={value} checked={checked} onChange={onChoose} />
    <span>{label}</span>
  </label>
);
