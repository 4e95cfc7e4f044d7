/** Form controls with labels: a text field, a select, and a checkbox. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import './controls.css';

interface Common {
  name: string;
  label: string;
  /** Hides the label from everyone but screen readers. */
  labelHidden?: boolean;
  hint?: ComponentChildren;
  /** An error message, which also marks the control as invalid. */
  problem?: string | null;
  /** What is probably wrong with a valid value. */
  warning?: string | null;
}

function Frame({
  id,
  label,
  labelHidden,
  hint,
  problem,
  warning,
  children,
}: Common & { id: string; children: ComponentChildren }): JSX.Element {
  return (
    <div class="field">
      <label for={id} class={labelHidden ? 'visually-hidden' : 'label'}>
        {label}
      </label>
      {children}
      {hint ? (
        <span id={`${id}-hint`} class="hint">
          {hint}
        </span>
      ) : null}
      {problem ? (
        <span id={`${id}-problem`} class="problem">
          {problem}
        </span>
      ) : null}
      {warning ? (
        <span id={`${id}-warning`} class="warning untrusted" role="status">
          {warning}
        </span>
      ) : null}
    </div>
  );
}

const described = (id: string, { hint, problem, warning }: Common): string | undefined =>
  [hint ? `${id}-hint` : '', problem ? `${id}-problem` : '', warning ? `${id}-warning` : '']
    .filter(Boolean)
    .join(' ') || undefined;

export interface FieldProps extends Common {
  value: string;
  onInput: (value: string) => void;
  type?: 'text' | 'url' | 'password' | 'search';
  placeholder?: string;
  autocomplete?: 'off' | 'new-password';
  onEnter?: () => void;
  required?: boolean;
}

/** A single-line text field. */
export function Field({
  value,
  onInput,
  type = 'text',
  placeholder,
  autocomplete = 'off',
  onEnter,
  required,
  ...common
}: FieldProps): JSX.Element {
  const id = useId();
  return (
    <Frame {...common} id={id}>
      <input
        id={id}
        class="input"
        name={common.name}
        // Input types have separate TypeScript types, but these four take the same attributes.
        type={type as 'text'}
        value={value}
        placeholder={placeholder}
        autocomplete={autocomplete}
        spellcheck={false}
        required={required}
        aria-invalid={common.problem ? 'true' : undefined}
        aria-describedby={described(id, common)}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !onEnter) return;
          event.preventDefault();
          onEnter();
        }}
      />
    </Frame>
  );
}

export interface SelectProps extends Common {
  value: string;
  options: { value: string; label: string; disabled?: boolean }[];
  onChange: (value: string) => void;
}

export function Select({ value, options, onChange, ...common }: SelectProps): JSX.Element {
  const id = useId();
  return (
    <Frame {...common} id={id}>
      <select
        id={id}
        class="input"
        name={common.name}
        value={value}
        aria-invalid={common.problem ? 'true' : undefined}
        aria-describedby={described(id, common)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Frame>
  );
}

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
