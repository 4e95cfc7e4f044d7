/** A button that opens a menu in a popover. The menu’s content exists only while it’s open. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

export interface MenuButtonProps {
  /** The menu’s accessible name. */
  menu: string;
  menuClass: string;
  /** Attributes of the button. */
  button: JSX.IntrinsicElements['button'] & Record<`data-${string}`, number>;
  /** The button’s content. */
  face: ComponentChildren;
  onOpen?: () => void;
  children: (close: () => void) => ComponentChildren;
}

export function MenuButton({ menu, menuClass, button, face, onOpen, children }: MenuButtonProps): JSX.Element {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="button quiet" popovertarget={id} aria-haspopup="dialog" {...button}>
        {face}
      </button>
      <div
        ref={popover}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={menu}
        class={`menu ${menuClass}`}
        onToggle={(event) => {
          setOpen(event.newState === 'open');
          if (event.newState === 'open') onOpen?.();
        }}
      >
        {isOpen ? children(() => popover.current?.hidePopover?.()) : null}
      </div>
    </>
  );
}
