/** Small components: badge, meter, empty state, and date. */
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';
import { formatCount, formatExactTime, formatTime, isoTime, type TimeOptions } from '../../lib/shared/format.ts';
import './controls.css';

export type Tone = 'plain' | 'success' | 'danger' | 'warning';

export function Badge({ children, tone = 'plain' }: { children: ComponentChildren; tone?: Tone }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export interface BadgeButtonProps {
  children: ComponentChildren;
  tone?: Tone;
  /** What the badge means, and what to do. */
  explanation: string;
}

/** A badge that explains itself when it's clicked. */
export function BadgeButton({ children, tone = 'plain', explanation }: BadgeButtonProps): JSX.Element {
  const id = useId();
  return (
    <>
      <button type="button" class={`badge ${tone}`} title="What does this mean?" popovertarget={id}>
        {children}
      </button>
      <div id={id} popover="auto" role="note" class="menu explanation">
        {explanation}
      </div>
    </>
  );
}

export interface MeterProps {
  label: string;
  value: number;
  max: number;
  unit: string;
}

/** Shows how much of a limit is used. Over the limit, changes color and says so. */
export function Meter({ label, value, max, unit }: MeterProps): JSX.Element {
  const over = value > max;
  return (
    <span class={over ? 'meter over' : 'meter'} title={`${label}: limited to ${formatCount(max)} ${unit}`}>
      <span class="track" aria-hidden="true">
        <i style={{ width: `${Math.min(100, (100 * value) / max)}%` }} />
      </span>
      <span
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={value}
        aria-valuetext={`${value} of ${max} ${unit}${over ? ', over the limit' : ''}`}
      >
        {formatCount(value)} / {formatCount(max)}
      </span>
    </span>
  );
}

export interface EmptyStateProps {
  title: string;
  children?: ComponentChildren;
  actions?: ComponentChildren;
}

/** Says what's missing, what will appear here, and how to get it. */
export function EmptyState({ title, children, actions }: EmptyStateProps): JSX.Element {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {actions ? <div class="actions">{actions}</div> : null}
    </div>
  );
}

export interface DateTimeProps extends TimeOptions {
  /** Epoch milliseconds. */
  at: number;
  class?: string;
}

/** A date and time, with the exact time and its zone in the tooltip. */
export function DateTime({ at, class: name, ...options }: DateTimeProps): JSX.Element {
  return (
    <time class={name} dateTime={isoTime(at)} title={formatExactTime(at, options.timeZone)}>
      {formatTime(at, options)}
    </time>
  );
}
