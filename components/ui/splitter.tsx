/** Two panes separated by a divider that can be moved by mouse and keyboard. */
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Boundary } from './surface/boundary.tsx';
import './splitter.css';

export interface SplitterProps {
  label: string;
  /** `columns`: side by side; `rows`: one above the other. */
  direction: 'columns' | 'rows';
  /** The first pane's initial share, in percent. */
  share: number;
  /** If the second pane is null, the first one fills the splitter. It stays mounted when the second one appears. */
  children: [ComponentChildren, ComponentChildren | null];
}

const MIN_SHARE = 15;
const MAX_SHARE = 85;

export function Splitter({ label, direction, share: first, children }: SplitterProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(first);
  const set = (next: number): void => setShare(Math.min(MAX_SHARE, Math.max(MIN_SHARE, Math.round(next))));
  const drag = (event: PointerEvent): void => {
    const bounds = box.current?.getBoundingClientRect();
    if (!bounds || event.buttons !== 1) return;
    set(
      direction === 'columns'
        ? (100 * (event.clientX - bounds.left)) / bounds.width
        : (100 * (event.clientY - bounds.top)) / bounds.height,
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> =
      direction === 'columns' ? { ArrowLeft: -3, ArrowRight: 3 } : { ArrowUp: -3, ArrowDown: 3 };
    const step = { ...steps, Home: -100, End: 100 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    set(share + step);
  };
  const isAlone = children[1] === null;
  return (
    <div ref={box} class={`splitter ${isAlone ? 'alone' : direction}`} style={{ '--share': `${share}%` }}>
      <div class="pane">
        <Boundary>{children[0]}</Boundary>
      </div>
      {isAlone ? null : (
        <>
          <div
            class="divider"
            role="separator"
            aria-label={label}
            aria-orientation={direction === 'columns' ? 'vertical' : 'horizontal'}
            aria-valuemin={MIN_SHARE}
            aria-valuemax={MAX_SHARE}
            aria-valuenow={share}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
          />
          <div class="pane">
            <Boundary>{children[1]}</Boundary>
          </div>
        </>
      )}
    </div>
  );
}
