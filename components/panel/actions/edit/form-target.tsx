/** Marks form controls with JSON Pointers so that the problem list can focus them. */
import type { ComponentChildren, JSX } from 'preact';
import type { Problem } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';

/** All problems at or below a path, joined into one string; null if there are none. */
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

/** Wraps the controls for the value at `path`. */
export function FormTarget({ path, problems, children, class: name }: FormTargetProps): JSX.Element {
  const hasProblem = problemAt(problems, path) !== null;
  return (
    <div
      class={name ? `form-target ${name}` : 'form-target'}
      data-field-path={path}
      data-error-path={hasProblem ? path : undefined}
    >
      {children}
    </div>
  );
}

const FOCUSABLE = 'input, select, textarea, .cm-content, button, [tabindex="0"]';

/** Focuses the control for `path` or its nearest ancestor. False if there is none. */
export function focusTarget(root: ParentNode, path: string): boolean {
  for (let target = path; ; target = target.slice(0, target.lastIndexOf('/'))) {
    const control = root
      .querySelector(`[data-field-path="${CSS.escape(target)}"]`)
      ?.querySelector<HTMLElement>(FOCUSABLE);
    if (control) {
      control.scrollIntoView({ block: 'center' });
      control.focus();
      return true;
    }
    if (target === '') return false;
  }
}
