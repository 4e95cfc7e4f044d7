/** A combobox: type to search a list, arrow keys and Enter to pick, Escape to cancel. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../lib/shared/format.ts';
import { matchOptions, type ComboboxOption } from './match-options.ts';
import './controls.css';
import './combobox.css';

export interface ComboboxProps {
  name: string;
  label: string;
  options: readonly ComboboxOption[];
  /** The picked option's value, or null. */
  value: string | null;
  onPick: (value: string) => void;
  placeholder?: string;
  /** Shown in the list when there are no options. */
  empty?: string;
  /** Accepts text that isn't an option. */
  free?: boolean;
  /** Shows the label above. */
  labelShown?: boolean;
  /** What is wrong with the value. Marks the combobox as invalid. */
  problem?: string | null;
}

/** Options in the list at most. The rest is counted. */
const SHOWN = 100;

export function Combobox({
  name,
  label,
  options,
  value,
  onPick,
  placeholder,
  empty = 'No options',
  free,
  labelShown,
  problem,
}: ComboboxProps): JSX.Element {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const picked = options.find((option) => option.value === value);
  const found = open ? matchOptions(options, typed ?? '') : [];
  const asTyped = free ? (typed?.trim() ?? '') : '';
  const matches =
    asTyped && !options.some((option) => option.value === asTyped)
      ? [...found, { value: asTyped, label: asTyped, hint: 'as typed' }]
      : found;
  const shown = matches.slice(0, SHOWN);

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [active, open]);

  const close = (): void => {
    setOpen(false);
    setTyped(null);
  };
  const show = (): void => {
    if (open) return;
    setActive(
      Math.max(
        0,
        options.slice(0, SHOWN).findIndex((option) => option.value === value),
      ),
    );
    setOpen(true);
  };
  const pick = (option: ComboboxOption | undefined): void => {
    if (!option) return;
    close();
    onPick(option.value);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (!open) return show();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((at) => (shown.length === 0 ? 0 : (at + step + shown.length) % shown.length));
    } else if (event.key === 'Enter' && open) {
      event.preventDefault();
      pick(shown[active]);
    } else if (event.key === 'Escape' && open) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  };
  return (
    <div class="combobox">
      <label for={id} class={labelShown ? 'label' : 'visually-hidden'}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        name={name}
        role="combobox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={open && shown[active] ? `${id}-${active}` : undefined}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        title={picked?.label}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={typed ?? picked?.label ?? (free ? (value ?? '') : '')}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={(event) => event.currentTarget.select()}
        onClick={show}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      <div
        id={`${id}-list`}
        ref={list}
        role="listbox"
        aria-label={label}
        class="options"
        hidden={!open}
        onMouseDown={(event) => event.preventDefault()}
      >
        {shown.map((option, index) => (
          <div
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            data-value={option.value}
            onClick={() => pick(option)}
          >
            <span class="untrusted">{option.label}</span>
            {option.hint ? <span class="hint untrusted">{option.hint}</span> : null}
          </div>
        ))}
        {open && shown.length === 0 ? (
          <div class="none" role="option" aria-selected="false" aria-disabled="true">
            {options.length === 0 ? empty : `No options match “${typed ?? ''}”`}
          </div>
        ) : null}
        {matches.length > SHOWN ? (
          <div class="none" role="option" aria-selected="false" aria-disabled="true">
            {formatCount(matches.length - SHOWN)} more. Type to filter.
          </div>
        ) : null}
      </div>
      {problem ? (
        <span id={`${id}-problem`} class="problem">
          {problem}
        </span>
      ) : null}
    </div>
  );
}
