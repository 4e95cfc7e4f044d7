/** Owns the choice of how long tokens stay unlocked while nobody works, and how such a time is said. */
import type { JSX } from 'preact';
import { Select } from '../ui/field.tsx';

const CHOICES = [1, 5, 15, 30, 60, 240, 1440];

export function IdleChoice({
  minutes,
  onChange,
}: {
  minutes: number;
  onChange: (minutes: number) => void;
}): JSX.Element {
  const all = CHOICES.includes(minutes) ? CHOICES : [...CHOICES, minutes].sort((a, b) => a - b);
  return (
    <Select
      name="idle"
      label="Lock when nobody works here for"
      value={String(minutes)}
      options={all.map((each) => ({ value: String(each), label: minutesText(each) }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

export function minutesText(minutes: number): string {
  if (minutes === 1440) return 'a day';
  if (minutes % 60 === 0) return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
