/** The selected step of a migration: why it has its status, and what V3 did differently. */
import type { JSX } from 'preact';
import { LEVEL_TEXTS, STATUS_TEXTS } from '../../../lib/extension/panel/migrate/describe-proof.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import type { ShownStep } from '../../../lib/extension/panel/migrate/migration-steps.ts';
import { shortName } from '../../../lib/extension/panel/shared/short-name.ts';
import { formatCount, plural } from '../../../lib/shared/format.ts';
import { Button } from '../../ui/index.ts';
import { DifferenceView } from './difference-view.tsx';
import { StatusBadge } from './status-badge.tsx';

export function StepDetails({ migrating, step }: { migrating: Migrating; step: ShownStep }): JSX.Element {
  const { path, name, level, reasons } = step.report;
  const proved = migrating.proving.proved.value;
  return (
    <div class="migrate-details" data-migrate-step={path}>
      <header class="section-head">
        <h2 class="untrusted" title={name}>
          {shortName(name)}
        </h2>
        <code class="muted untrusted">{path}</code>
        <span class="grow" />
        <Button
          kind="quiet"
          title="Show the action as a whole"
          onClick={() => (migrating.selected.value = null)}
          label="Close step"
        >
          ✕
        </Button>
      </header>
      <div class="fill scroll migrate-facts">
        <p>
          <StatusBadge status={step.status} isStale={migrating.isStale.value} /> {STATUS_TEXTS[step.status].explanation}
        </p>
        {step.isUnlinked ? (
          <p class="problem">
            Unlinked: the code has no comment <code class="untrusted">{`// ${path}`}</code> anymore. Put it back above
            the step’s code.
          </p>
        ) : null}
        <dl class="facts">
          <div>
            <dt>Code</dt>
            <dd>{LEVEL_TEXTS[level]}</dd>
          </div>
          {proved && step.runs !== null ? (
            <div>
              <dt>Ran in</dt>
              <dd>
                {formatCount(step.runs)} of {plural(proved.runs.length, 'run')}
              </dd>
            </div>
          ) : null}
        </dl>
        <Reasons title="Why" reasons={reasons} />
        <Branches migrating={migrating} path={path} />
        <Differences migrating={migrating} path={path} />
        <Reasons title="Unknown" reasons={migrating.unknownsAt(path)} />
      </div>
    </div>
  );
}

function Branches({ migrating, path }: { migrating: Migrating; path: string }): JSX.Element | null {
  const branches = migrating.branchesAt(path);
  if (branches.length === 0) return null;
  return (
    <section aria-label="Branches">
      <h3>Branches</h3>
      <ul class="migrate-list">
        {branches.map(({ name, runs, example }) => (
          <li key={name}>
            <code class="untrusted">{name}</code>:{' '}
            {runs > 0 ? (
              plural(runs, 'run')
            ) : example === null ? (
              <strong>never ran</strong>
            ) : (
              <>
                only with a generated payload: <code class="untrusted">{example}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Most runs differ in the same way. */
const SHOWN = 10;

function Differences({ migrating, path }: { migrating: Migrating; path: string }): JSX.Element | null {
  const differences = migrating.differencesAt(path);
  if (differences.length === 0) return null;
  return (
    <section aria-label="Differences">
      <h3>
        {migrating.isStale.value ? 'Differences before your change' : 'Differences'}{' '}
        <span class="muted">{formatCount(differences.length)}</span>
      </h3>
      {differences.slice(0, SHOWN).map(({ difference, run }, index) => (
        <DifferenceView
          key={`${run} ${index} ${difference.what} ${difference.place} ${difference.iteration}`}
          migrating={migrating}
          difference={difference}
          run={run}
        />
      ))}
      {differences.length > SHOWN ? (
        <p class="muted">and {plural(differences.length - SHOWN, 'more run')} with a difference here</p>
      ) : null}
    </section>
  );
}

function Reasons({ title, reasons }: { title: string; reasons: readonly string[] }): JSX.Element | null {
  if (reasons.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul class="migrate-list">
        {reasons.map((reason) => (
          <li key={reason} class="untrusted">
            {reason}
          </li>
        ))}
      </ul>
    </section>
  );
}
