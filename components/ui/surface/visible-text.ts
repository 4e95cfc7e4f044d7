/** Shows invisible characters in the text of all views as escapes: no name of a platform or a file can pass for another. */
import { options, type VNode } from 'preact';
import { visible } from '../../../lib/shared/invisible.ts';

/** Attributes that are shown or read aloud. */
const TEXTS = ['title', 'aria-label', 'placeholder', 'alt', 'label'];

const { vnode: next } = options;
options.vnode = (vnode: VNode) => {
  // A text has no type, and its properties are the text.
  if (vnode.type === null) vnode.props = shown(vnode.props) as VNode['props'];
  else if (typeof vnode.type === 'string') {
    const props = vnode.props as Record<string, unknown>;
    for (const name of TEXTS) if (name in props) props[name] = shown(props[name]);
  }
  next?.(vnode);
};

const shown = (value: unknown): unknown => (typeof value === 'string' ? visible(value) : value);
