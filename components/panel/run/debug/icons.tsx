/** The debugger's symbols. They're drawn, because fonts draw the same characters differently. */
import type { JSX } from 'preact';
import type { BreakpointKind } from '../../../../lib/extension/panel/run/debug/breakpoints.ts';

const COMMANDS = {
  resume: 'M3.5 3v10M6.5 3l7 5-7 5z',
  pause: 'M5 3v10M11 3v10',
  over: 'M2 9a6 5.5 0 0 1 11.2-2M13.6 2.6v4.6H9M8 11.6a1.4 1.4 0 1 0 .01 0',
  into: 'M8 1.5v7.2M4.8 5.8 8 9l3.2-3.2M8 11.6a1.4 1.4 0 1 0 .01 0',
  out: 'M8 9.2V1.8M4.8 4.8 8 1.6l3.2 3.2M8 11.6a1.4 1.4 0 1 0 .01 0',
  skip: 'M2.5 3.5 8 8l-5.5 4.5zM8 3.5 13.5 8 8 12.5zM14 3v10',
  stop: 'M4 4h8v8H4z',
};
export type Command = keyof typeof COMMANDS;

export const CommandIcon = ({ of }: { of: Command }): JSX.Element => (
  <svg class={`command-icon ${of}`} viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
    <path d={COMMANDS[of]} />
  </svg>
);

/** A circle, with a mark if it has a condition, or a diamond for a logpoint. Hollow while it's off. */
export const BreakpointIcon = ({ kind, isOff }: { kind: BreakpointKind; isOff: boolean }): JSX.Element => (
  <svg
    class={`breakpoint-icon ${kind}${isOff ? ' off' : ''}`}
    viewBox="0 0 12 12"
    width="12"
    height="12"
    aria-hidden="true"
  >
    {kind === 'log' ? (
      <path class="shape" d="M6 .8 11.2 6 6 11.2.8 6z" />
    ) : (
      <circle class="shape" cx="6" cy="6" r="4.6" />
    )}
    {kind === 'condition' ? <path class="glyph" d="M3.6 4.9h4.8M3.6 7.2h4.8" /> : null}
    {kind === 'log' ? <path class="glyph" d="M4 5.2h4M4 7h2.6" /> : null}
  </svg>
);
