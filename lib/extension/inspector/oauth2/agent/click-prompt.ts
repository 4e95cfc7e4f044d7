/**
 * Owns the button that asks for a person's click in the page: a browser lets a page open a window on such a click alone, and
 * what DevTools evaluates is none.
 */
import { listen, optionalGetter, optionalMethod } from '../../agent/pristine.ts';
import { attempt } from '../../agent/safe.ts';

const page = document;
const createElement = optionalMethod<(self: object, name: string) => HTMLElement>(globalThis.Document, 'createElement');
const attachShadow = optionalMethod<(self: object, options: object) => ShadowRoot>(globalThis.Element, 'attachShadow');
const append = optionalMethod<(self: object, child: object) => unknown>(globalThis.Node, 'appendChild');
const removeIt = optionalMethod<(self: object) => void>(globalThis.Element, 'remove');
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
const { apply } = Reflect;

// A sheet of script's making stands under any Content-Security-Policy.
const STYLE = `:host { all: initial; position: fixed; inset: 0 0 auto 0; margin: 12px auto auto; width: fit-content; max-width: calc(100vw - 24px); padding: 0; border: 0; background: none; z-index: 2147483647; overflow: visible; }
  div { display: flex; align-items: center; gap: 8px; padding: 8px 10px; border: 1px solid #0b57d0; border-radius: 6px; background: #fff; color: #1f1f1f; font: 13px/1.4 system-ui, sans-serif; box-shadow: 0 4px 16px rgb(0 0 0 / 30%); }
  span { overflow-wrap: anywhere; }
  button { flex: none; font: inherit; padding: 4px 12px; border: 1px solid #7f858d; border-radius: 4px; background: #fff; color: #1f1f1f; cursor: pointer; }
  button.go { border-color: #0b57d0; background: #0b57d0; color: #fff; font-weight: 600; }
  button:focus-visible { outline: 2px solid #0b57d0; outline-offset: 2px; }
  @media (prefers-color-scheme: dark) { div, button { background: #1f2023; color: #e6e6e8; border-color: #858a93; } button.go { background: #a8c7fa; color: #062e6f; border-color: #a8c7fa; } }`;

/**
 * @param title what the click will do, such as `Log in to demo`
 * @returns how to take the button away; null when this document can't show it
 */
export function askForClick(title: string, clicked: () => void, refused: () => void): (() => void) | null {
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
      const take = (): void => void attempt(() => removeIt!(host));
      const button = (text: string, act: () => void): HTMLElement => {
        const made = element('button', text);
        listen!(made, 'click', (event) => {
          // A click that the page made itself is no person's.
          if (!event.isTrusted) return;
          take();
          act();
        });
        return made;
      };
      const go = button(title, clicked);
      setAttribute!(go, 'class', 'go');
      append!(box, element('span', 'Platform DevTools: the browser wants your click here.'));
      append!(box, go);
      append!(box, button('Cancel', refused));
      append!(shadow, box);
      append!(root!(page)!, host);
      // Above the page's own dialogs.
      attempt(() => {
        setAttribute!(host, 'popover', 'manual');
        showPopover!(host);
      });
      return take;
    }) ?? null
  );
}

function element(name: string, text: string): HTMLElement {
  const made = createElement!(page, name);
  apply(setText!, made, [text]);
  return made;
}
