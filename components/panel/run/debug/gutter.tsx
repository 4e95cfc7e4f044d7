/** The left edge of a step's row: shows its breakpoint, and toggles it on click. F9 does the same. */
import type { JSX } from 'preact';
import { describeBreakpoint, kindOf } from '../../../../lib/extension/panel/run/debug/breakpoints.ts';
import { isStep } from '../../../../lib/extension/panel/run/debug/match-breakpoints.ts';
import type { RunDebug } from '../../../../lib/extension/panel/run/debug/run-debug.ts';
import type { PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import { BreakpointIcon } from './icons.tsx';
import './debug.css';

export interface GutterProps {
  debug: RunDebug;
  node: PipelineNode;
}

export function Gutter({ debug, node }: GutterProps): JSX.Element {
  const breakpoint = debug.breakpoints.byPath.value.get(node.path);
  if (!isStep(node)) return <span class="gutter" aria-hidden="true" />;
  const text = breakpoint && describeBreakpoint(breakpoint);
  return (
    <span
      class="gutter"
      data-gutter={node.path}
      data-breakpoint={breakpoint ? kindOf(breakpoint) : undefined}
      title={text ? `${text}. Click to remove it, right-click to edit it` : 'Add a breakpoint (F9)'}
      onClick={(event) => {
        // It would select the row.
        event.stopPropagation();
        debug.breakpoints.toggle(node);
      }}
      onDblClick={(event) => event.stopPropagation()}
    >
      {breakpoint ? (
        <span role="img" aria-label={text}>
          <BreakpointIcon kind={kindOf(breakpoint)} isOff={breakpoint.isOff ?? false} />
        </span>
      ) : (
        <span class="hint" aria-hidden="true">
          <BreakpointIcon kind="plain" isOff />
        </span>
      )}
    </span>
  );
}
