/**
 * Finds controls by accessible name and role, with selectors such as `control/Run[role="button"]`. After Puppeteer’s own
 * `aria/`, the browser keeps an accessibility tree of the page, which makes each later change slower.
 */
import { Puppeteer } from 'puppeteer-core';

/** Runs in the page. Returns the controls that can be seen, in document order. */
function findControls(root: Node, selector: string): Element[] {
  const [, name, role] = /^(.+)\[role="(\w+)"\]$/s.exec(selector) ?? [];
  const elements: Record<string, string> = {
    button: ', button, summary',
    link: ', a[href]',
    searchbox: ', [type=search]',
  };
  const textOf = (node: Node): string => {
    if (!(node instanceof Element)) return node.textContent ?? '';
    if (node.ariaHidden === 'true') return '';
    return node.ariaLabel ?? [...node.childNodes].map(textOf).join('');
  };
  const nameOf = (element: Element): string => {
    const labels = element.ariaLabelledByElements ?? (element as HTMLInputElement).labels ?? [];
    return labels.length === 0 ? textOf(element) : [...labels].map(textOf).join(' ');
  };
  // Everything else is inert.
  const modal = [...(root as ParentNode).querySelectorAll('dialog:modal')].at(-1);
  const candidates = ((modal ?? root) as ParentNode).querySelectorAll(`[role=${role}]${elements[role!] ?? ''}`);
  return [...candidates].filter(
    (element) =>
      (element.role ?? role) === role &&
      nameOf(element).replace(/\s+/g, ' ').trim() === name &&
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest('[aria-hidden=true], [inert]'),
  );
}

// oxlint-disable-next-line import/namespace -- Takes the class for a module.
Puppeteer.registerCustomQueryHandler('control', { queryAll: findControls });
