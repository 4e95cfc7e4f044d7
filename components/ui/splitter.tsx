/** Owns two places with a bar between them that mouse and keyboard move. */
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import './splitter.css';

export interface SplitterProps {
  label: string;
  /** `columns`: side by side; `rows`: one above the other. */
  direction: 'columns' | 'rows';
  /** Share of the first place in percent, to start with. */
  share: number;
  /** Without a second one the first has all the room, and stays what it is when a second one comes. */
  children: [ComponentChildren, ComponentChildren | null];
}

const LEAST = 15;
const MOST = 85;

export function Splitter({ label, direction, share: first, children }: SplitterProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(first);
  const set = (next: number): void => setShare(Math.min(MOST, Math.max(LEAST, Math.round(next))));
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
      <div class="place">{children[0]}</div>
      {isAlone ? null : (
        <>
          <div
            class="divider"
            role="separator"
            aria-label={label}
            aria-orientation={direction === 'columns' ? 'vertical' : 'horizontal'}
            aria-valuemin={LEAST}
            aria-valuemax={MOST}
            aria-valuenow={share}
            tabIndex={0}
            onKeyDown={onKeyDown}
            onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
            onPointerMove={drag}
          />
          <div class="place">{children[1]}</div>
        </>
      )}
    </div>
  );
}
