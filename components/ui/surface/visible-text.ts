/** Shows invisible characters in the text of all views as escapes: no name of a platform or a file can pass for another. */
import { Fragment, options, type VNode } from 'preact';
import { visible } from '../../../lib/shared/invisible.ts';

/** Attributes that are shown or read aloud. */
const TEXTS = ['title', 'aria-label', 'placeholder', 'alt', 'label'];

const { vnode: next } = options;
options.vnode = (vnode: VNode) => {
  const props = vnode.props as Record<string, unknown>;
  const isElement = typeof vnode.type === 'string';
  if (isElement) for (const name of TEXTS) if (name in props) props[name] = shown(props[name]);
  if ((isElement || vnode.type === Fragment) && 'children' in props) props['children'] = shown(props['children']);
  next?.(vnode);
};

function shown(value: unknown): unknown {
  if (typeof value === 'string') return visible(value);
  return Array.isArray(value) && value.some(hasText) ? value.map(shown) : value;
}

const hasText = (value: unknown): boolean => typeof value === 'string' || Array.isArray(value);
