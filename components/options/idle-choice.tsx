/** Sets how long tokens stay unlocked without activity. */
import type { JSX } from 'preact';
import { plural } from '../../lib/shared/format.ts';
import { Select } from '../ui/field.tsx';

const CHOICES = [1, 5, 15, 30, 60, 240, 1440];

interface IdleChoiceProps {
  minutes: number;
  onChange: (minutes: number) => void;
}

export function IdleChoice({ minutes, onChange }: IdleChoiceProps): JSX.Element {
  const all = CHOICES.includes(minutes) ? CHOICES : [...CHOICES, minutes].sort((a, b) => a - b);
  return (
    <Select
      name="idle"
      label="Lock when idle for"
      value={String(minutes)}
      options={all.map((each) => ({ value: String(each), label: idleText(each) }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

export function idleText(minutes: number): string {
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}
