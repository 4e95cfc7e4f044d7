/** Owns the places of a form that problems are about: marked with their JSON Pointer, found again from the list of problems. */
import type { ComponentChildren, JSX } from 'preact';
import type { Problem } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';

/** What is wrong at a place or within it, in one text; null when nothing is. */
export function problemAt(problems: readonly Problem[], path: string): string | null {
  const found = problems.filter((one) => one.path === path || one.path.startsWith(`${path}/`));
  return found.length === 0 ? null : found.map(({ message }) => message).join(' ');
}

export interface FormTargetProps {
  path: string;
  problems: readonly Problem[];
  children: ComponentChildren;
  class?: string;
}

/** A control, or several, for the value at `path`. */
export function FormTarget({ path, problems, children, class: name }: FormTargetProps): JSX.Element {
  const isWrong = problemAt(problems, path) !== null;
  return (
    <div
      class={name ? `edit-place ${name}` : 'edit-place'}
      data-place={path}
      data-error-path={isWrong ? path : undefined}
    >
      {children}
    </div>
  );
}

const FOCUSABLE = 'input, select, textarea, .cm-content, button, [tabindex="0"]';

/** Moves the keyboard to the control for `path`, or to that of what holds it; false when there is none. */
export function focusTarget(root: ParentNode, path: string): boolean {
  for (let at = path; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const control = root.querySelector(`[data-place="${CSS.escape(at)}"]`)?.querySelector<HTMLElement>(FOCUSABLE);
    if (control) {
      control.scrollIntoView({ block: 'center' });
      control.focus();
      return true;
    }
    if (at === '') return false;
  }
}
