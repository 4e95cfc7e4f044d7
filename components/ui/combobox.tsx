/** A combobox: type to filter a list, arrow keys and Enter to pick, Escape to cancel. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { formatCount } from '../../lib/shared/format.ts';
import { visible } from '../../lib/shared/invisible.ts';
import { isCommandEnter } from '../../lib/shared/keys.ts';
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
  /** Called on Enter, after the active option, if any, was picked. Ctrl+Enter and ⌘Enter only pick. */
  onEnter?: () => void;
  placeholder?: string;
  /** Text shown in place of an empty list. */
  empty?: string;
  /** Text shown below the typed text that no option matches, such as how old the list is. */
  listNote?: string;
  /** Called when no option matches the typed text, because the list can be stale. */
  onNoMatch?: () => void;
  /** Accepts text that isn't an option. */
  free?: boolean;
  /** Shows the label above the input. */
  labelShown?: boolean;
  /** An error message, which also marks the combobox as invalid. */
  problem?: string | null;
}

/** Maximum number of listed options. The list ends with a count of the rest. */
const SHOWN = 100;

interface ComboboxState {
  /** The input's text. */
  text: string;
  typed: string;
  open: boolean;
  /** Index of the active option. */
  active: number;
  matches: readonly ComboboxOption[];
  type(text: string): void;
  show(): void;
  close(): void;
  pick(option: ComboboxOption | undefined): void;
  onKeyDown(event: KeyboardEvent): void;
}

export function Combobox(props: ComboboxProps): JSX.Element {
  const { name, label, placeholder, labelShown, problem, options, value } = props;
  const id = useId();
  const state = useCombobox(props);
  const { open, active } = state;
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
        aria-activedescendant={open && active < Math.min(state.matches.length, SHOWN) ? `${id}-${active}` : undefined}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        title={options.find((option) => option.value === value)?.label}
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder}
        value={state.text}
        onInput={(event) => state.type(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onClick={state.show}
        onBlur={state.close}
        onKeyDown={state.onKeyDown}
      />
      <Options id={id} {...props} state={state} />
      {problem ? (
        <span id={`${id}-problem`} class="problem">
          {problem}
        </span>
      ) : null}
    </div>
  );
}

function useCombobox({ options, value, onPick, onEnter, free, onNoMatch }: ComboboxProps): ComboboxState {
  const [typed, setTyped] = useState<string | null>(null);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const matches = open ? withTyped(matchOptions(options, typed ?? ''), options, free ? (typed?.trim() ?? '') : '') : [];
  const isMissing = open && typed !== null && matches.length === 0 && options.length > 0;
  useEffect(() => {
    if (isMissing) onNoMatch?.();
  }, [isMissing, typed]);
  const close = (): void => {
    setOpen(false);
    setTyped(null);
  };
  const show = (): void => {
    if (open) return;
    const picked = options.slice(0, SHOWN).findIndex((option) => option.value === value);
    setActive(Math.max(0, picked));
    setOpen(true);
  };
  const pick = (option: ComboboxOption | undefined): void => {
    if (!option) return;
    close();
    onPick(option.value);
  };
  const move = (step: number): void => {
    if (!open) return show();
    const count = Math.min(matches.length, SHOWN);
    setActive((at) => (count === 0 ? 0 : (at + step + count) % count));
  };
  const onKeyDown = keyHandler({ open, option: matches.slice(0, SHOWN)[active], move, pick, close, onEnter });
  const type = (text: string): void => {
    setTyped(text);
    setActive(0);
    setOpen(true);
  };
  const pickedText = shownLabel(options, value) ?? (free ? (value ?? '') : '');
  return {
    text: typed ?? pickedText,
    typed: typed ?? '',
    open,
    active,
    matches,
    type,
    show,
    close,
    pick,
    onKeyDown,
  };
}

/** An input’s value isn’t among the texts that visible-text.ts sees. */
function shownLabel(options: readonly ComboboxOption[], value: string | null): string | undefined {
  const picked = options.find((option) => option.value === value);
  return picked && visible(picked.label);
}

interface KeyActions extends Pick<ComboboxState, 'open' | 'pick' | 'close'>, Pick<ComboboxProps, 'onEnter'> {
  /** The active option. */
  option: ComboboxOption | undefined;
  move: (step: number) => void;
}

function keyHandler({ open, option, move, pick, close, onEnter }: KeyActions): (event: KeyboardEvent) => void {
  const enter = (event: KeyboardEvent): void => {
    if (open && !option) return event.preventDefault();
    if (open) pick(option);
    // Whoever handles Ctrl+Enter finds the picked option.
    if (isCommandEnter(event)) return;
    if (open || onEnter) event.preventDefault();
    onEnter?.();
  };
  return (event) => {
    const { key } = event;
    const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
    if (key === 'Enter') return enter(event);
    if (!isArrow && !(open && key === 'Escape')) return;
    event.preventDefault();
    if (isArrow) return move(key === 'ArrowDown' ? 1 : -1);
    event.stopPropagation();
    close();
  };
}

/** Adds the typed text as an option unless there already is one. */
function withTyped(
  found: readonly ComboboxOption[],
  options: readonly ComboboxOption[],
  typed: string,
): readonly ComboboxOption[] {
  return typed && !options.some((option) => option.value === typed)
    ? [...found, { value: typed, label: typed, hint: 'as typed' }]
    : found;
}

interface OptionsProps extends Pick<ComboboxProps, 'label' | 'options' | 'empty' | 'listNote'> {
  id: string;
  state: ComboboxState;
}

function Options({ id, label, options, empty = 'No options', listNote, state }: OptionsProps): JSX.Element {
  const { open, active, matches, typed, pick } = state;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView?.({ block: 'nearest' });
  }, [active, open]);
  return (
    <div
      id={`${id}-list`}
      ref={list}
      role="listbox"
      aria-label={label}
      class="options"
      hidden={!open}
      onMouseDown={(event) => event.preventDefault()}
    >
      {matches.slice(0, SHOWN).map((option, index) => (
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
      {open && matches.length === 0 ? (
        <Remark>{options.length === 0 ? empty : `No options match “${typed}”`}</Remark>
      ) : null}
      {open && listNote && options.length > 0 && matches.length === 0 ? <Remark>{listNote}</Remark> : null}
      {matches.length > SHOWN ? <Remark>{formatCount(matches.length - SHOWN)} more. Type to filter.</Remark> : null}
    </div>
  );
}

function Remark({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <div class="none" role="option" aria-selected="false" aria-disabled="true">
      {children}
    </div>
  );
}
