/**
 * Shows a button in the page. Browsers only let a page open a window after a click, and an evaluation doesn't count as
 * one.
 */
import { apply, listen, optionalGetter, optionalMethod } from '../../agent/pristine.ts';
import { attempt } from '../../agent/safe.ts';

const page = document;
const createElement = optionalMethod<(self: object, name: string) => HTMLElement>(globalThis.Document, 'createElement');
const attachShadow = optionalMethod<(self: object, options: object) => ShadowRoot>(globalThis.Element, 'attachShadow');
const append = optionalMethod<(self: object, child: object) => unknown>(globalThis.Node, 'appendChild');
const remove = optionalMethod<(self: object) => void>(globalThis.Element, 'remove');
const root = optionalGetter<HTMLElement | null>(globalThis.Document, 'documentElement');
const setAttribute = optionalMethod<(self: object, name: string, value: string) => void>(
  globalThis.Element,
  'setAttribute',
);
const setText = globalThis.Node ? Object.getOwnPropertyDescriptor(Node.prototype, 'textContent')?.set : undefined;
const setSheets = globalThis.ShadowRoot
  ? Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'adoptedStyleSheets')?.set
  : undefined;
const Sheet = globalThis.CSSStyleSheet;
const replaceSync = optionalMethod<(self: object, text: string) => void>(globalThis.CSSStyleSheet, 'replaceSync');
const showPopover = optionalMethod<(self: object) => void>(globalThis.HTMLElement, 'showPopover');

// Constructed style sheets work under any Content-Security-Policy.
const STYLE = `
  :host {
    all: initial; position: fixed; inset: 0 0 auto 0; margin: 12px auto auto; width: fit-content;
    max-width: calc(100vw - 24px); padding: 0; border: 0; background: none; z-index: 2147483647; overflow: visible;
  }
  div {
    display: flex; align-items: center; gap: 8px; padding: 8px 10px; border: 1px solid #0b57d0; border-radius: 6px;
    background: #fff; color: #1f1f1f; font: 13px/1.4 system-ui, sans-serif; box-shadow: 0 4px 16px rgb(0 0 0 / 30%);
  }
  span { overflow-wrap: anywhere; }
  button {
    flex: none; font: inherit; padding: 4px 12px; border: 1px solid #7f858d; border-radius: 4px;
    background: #fff; color: #1f1f1f; cursor: pointer;
  }
  button.go { border-color: #0b57d0; background: #0b57d0; color: #fff; font-weight: 600; }
  button:focus-visible { outline: 2px solid #0b57d0; outline-offset: 2px; }
  @media (prefers-color-scheme: dark) {
    div, button { background: #1f2023; color: #e6e6e8; border-color: #858a93; }
    button.go { background: #a8c7fa; color: #062e6f; border-color: #a8c7fa; }
  }`;

/**
 * @param title the button's label, such as `Log in to demo`
 * @returns a function that removes the prompt, or null if this document can't show it
 */
export function promptForClick(title: string, onClick: () => void, onCancel: () => void): (() => void) | null {
  return (
    attempt(() => {
      const host = createElement!(page, 'platform-devtools-ask');
      const shadow = attachShadow!(host, { mode: 'closed' });
      const sheet = new Sheet();
      replaceSync!(sheet, STYLE);
      apply(setSheets!, shadow, [[sheet]]);
      const box = element('div', '');
      setAttribute!(box, 'role', 'dialog');
      setAttribute!(box, 'aria-label', 'Platform DevTools');
      const removePrompt = (): void => void attempt(() => remove!(host));
      const button = (text: string, act: () => void): HTMLElement => {
        const made = element('button', text);
        listen!(made, 'click', (event) => {
          // Ignore clicks that the page dispatches itself.
          if (!event.isTrusted) return;
          removePrompt();
          act();
        });
        return made;
      };
      const go = button(title, onClick);
      setAttribute!(go, 'class', 'go');
      append!(box, element('span', 'Platform DevTools: the browser requires a click to continue.'));
      append!(box, go);
      append!(box, button('Cancel', onCancel));
      append!(shadow, box);
      append!(root!(page)!, host);
      // The top layer is above the page's own dialogs.
      attempt(() => {
        setAttribute!(host, 'popover', 'manual');
        showPopover!(host);
      });
      return removePrompt;
    }) ?? null
  );
}

function element(name: string, text: string): HTMLElement {
  const made = createElement!(page, name);
  apply(setText!, made, [text]);
  return made;
}
