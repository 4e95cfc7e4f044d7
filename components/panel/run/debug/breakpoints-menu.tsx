/** *Pause on failure*, and the list of all breakpoints with those whose step the pipeline no longer has. */
import type { JSX } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { describeBreakpoint, kindOf } from '../../../../lib/extension/panel/run/debug/breakpoints.ts';
import type { StepBreakpoint } from '../../../../lib/extension/panel/run/debug/debug-data.ts';
import type { RunDebug } from '../../../../lib/extension/panel/run/debug/run-debug.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import { BreakpointIcon } from './icons.tsx';
import { NameWarning } from './name-warning.tsx';

export function BreakpointsMenu({ debug, onShow }: { debug: RunDebug; onShow: (path: string) => void }): JSX.Element {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const all = [...debug.breakpoints.byPath.value.values()];
  const gone = debug.breakpoints.gone.value;
  const text = gone.length > 0 ? `Breakpoints, ${gone.length} without a step` : 'Breakpoints';
  return (
    <>
      <Button
        kind="quiet"
        label="Pause on failure"
        pressed={debug.pauseOnFailure.value}
        title="Pause on failure: before a failed step ends the run"
        onClick={() => debug.setPauseOnFailure(!debug.pauseOnFailure.peek())}
      >
        <span aria-hidden="true">{debug.pauseOnFailure.value ? '◉' : '○'}</span>
        <span class="long">Pause on failure</span>
      </Button>
      <button
        type="button"
        class="button quiet breakpoints-button"
        popovertarget={id}
        aria-haspopup="dialog"
        title={text}
        data-breakpoints={all.length}
        data-gone={gone.length}
      >
        <BreakpointIcon kind="plain" isOff={all.every(({ isOff }) => isOff)} />
        <span class="visually-hidden">{text}</span> {all.length}
        {gone.length > 0 ? (
          <strong class="warning" aria-hidden="true">
            !
          </strong>
        ) : null}
        <span aria-hidden="true">▾</span>
      </button>
      <div ref={menu} id={id} popover="auto" role="dialog" aria-label="Breakpoints" class="menu breakpoints-menu">
        <h2>Breakpoints</h2>
        {all.length + gone.length === 0 ? (
          <p class="muted">Click left of a step, or select it and press F9. The run pauses before the step.</p>
        ) : null}
        <ul>
          {all.map((one) => (
            <Row
              key={one.path}
              debug={debug}
              breakpoint={one}
              onShow={() => {
                menu.current?.hidePopover?.();
                onShow(one.path);
              }}
            />
          ))}
        </ul>
        {gone.length > 0 ? <Gone debug={debug} gone={gone} /> : null}
        {all.length + gone.length > 0 ? <AllButtons debug={debug} all={all} /> : null}
      </div>
    </>
  );
}

interface RowProps {
  debug: RunDebug;
  breakpoint: StepBreakpoint;
  onShow: () => void;
}

function Row({ debug: { breakpoints, names }, breakpoint, onShow }: RowProps): JSX.Element {
  const { path, label, isOff = false } = breakpoint;
  return (
    <li data-listed={path}>
      <label class="check">
        <input
          type="checkbox"
          aria-label={`Breakpoint at ${label} is on`}
          checked={!isOff}
          onChange={() => breakpoints.setOff(!isOff, path)}
        />
      </label>
      <BreakpointIcon kind={kindOf(breakpoint)} isOff={isOff} />
      <button type="button" class="link untrusted" title={`Show ${path}`} onClick={onShow}>
        {label} <span class="muted">{describeBreakpoint({ ...breakpoint, isOff: false })}</span>
      </button>
      <Button
        kind="quiet"
        label={`Remove the breakpoint at ${label}`}
        title="Remove"
        onClick={() => breakpoints.remove(path)}
      >
        ✕
      </Button>
      <NameWarning text={names.ofBreakpoint(breakpoint)} />
    </li>
  );
}

function Gone({ debug: { breakpoints }, gone }: { debug: RunDebug; gone: readonly StepBreakpoint[] }): JSX.Element {
  return (
    <>
      <h3>Without a step</h3>
      <p class="muted">
        The pipeline no longer has {gone.length === 1 ? 'this step' : `these ${plural(gone.length, 'step')}`}. If it
        comes back, so does the breakpoint.
      </p>
      <ul>
        {gone.map((one, index) => (
          <li key={index} data-listed-gone={one.path}>
            <BreakpointIcon kind={kindOf(one)} isOff />
            <span class="link untrusted" title={one.path}>
              {one.label} <span class="muted">{describeBreakpoint(one)}</span>
            </span>
            <Button
              kind="quiet"
              label={`Remove the breakpoint at ${one.label}`}
              title="Remove"
              onClick={() => breakpoints.removeGone(one)}
            >
              ✕
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}

function AllButtons({ debug: { breakpoints }, all }: { debug: RunDebug; all: readonly StepBreakpoint[] }): JSX.Element {
  const areOff = all.every(({ isOff }) => isOff);
  return (
    <div class="buttons">
      {all.length > 0 ? (
        <Button onClick={() => breakpoints.setOff(!areOff)}>{areOff ? 'Turn all on' : 'Turn all off'}</Button>
      ) : null}
      <Button onClick={breakpoints.removeAll}>Remove all</Button>
    </div>
  );
}
