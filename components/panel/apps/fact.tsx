/** A name and a value in a list of properties. */
import type { ComponentChildren, JSX } from 'preact';

export function Fact({ name, children }: { name: string; children: ComponentChildren }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
