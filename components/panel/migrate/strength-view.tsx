/** Mistakes in the code that no recorded run would find, and which run is missing for each. */
import type { JSX } from 'preact';
import { strengthText } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Button, EmptyState } from '../../ui/index.ts';
import { VirtualTree } from '../../ui/virtual-tree.tsx';

export function StrengthView({ migrating }: { migrating: Migrating }): JSX.Element {
  const strength = migrating.proving.strength.value;
  if (!strength)
    return (
      <div class="fill scroll">
        <EmptyState title="Strength isn’t measured yet">
          <p>
            After a proof without differences, many wrong versions of the code are compared with your runs. Here, you
            see which mistakes no run would find.
          </p>
        </EmptyState>
      </div>
    );
  const { missed } = strength;
  return (
    <section class="section fill migrate-strength" aria-label="Strength" data-missed={missed.length}>
      <p class="remark">
        {strengthText(strength)}
        {missed.length > 0 ? ' Record the missing runs, then prove again.' : ''}
      </p>
      {missed.length === 0 ? null : (
        <VirtualTree
          label="Mistakes that no run would find"
          role="treegrid"
          rows={missed.map((mutant, index) => ({ ...mutant, key: String(index) }))}
          shape={({ key }) => ({ key, level: 0, expanded: null })}
          selected={null}
          onSelect={() => {}}
          onToggle={() => {}}
          onActivate={({ line }) => migrating.showLine(line)}
          rowHeight={26}
          render={({ line, path, mistake, missing }) => (
            <>
              <span role="gridcell" class="strength-line">
                <Button kind="quiet" label={`Show line ${line}`} onClick={() => migrating.showLine(line)}>
                  Line {line}
                </Button>
              </span>
              <code role="gridcell" class="strength-path muted untrusted" title={path}>
                {path}
              </code>
              <span role="gridcell" class="strength-mistake untrusted" title={mistake}>
                {mistake}
              </span>
              <span role="gridcell" class="strength-missing muted untrusted" title={missing}>
                Missing: {missing}
              </span>
            </>
          )}
        />
      )}
    </section>
  );
}
