/** A step's settings that aren't as the pipeline defines them: what was filled in, beside the definition. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import { definedSettings } from '../../../../lib/extension/panel/run/step-definition.ts';
import { ContextCursor } from '../../../../lib/extension/panel/run/timeline/context-cursor.ts';
import { resolvedSettings } from '../../../../lib/extension/panel/run/timeline/settings-text.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { pointerAsPath } from '../../../../lib/extension/panel/shared/remote-value.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { ValueText } from '../../shared/value-tree.tsx';
import './request-details.css';

export interface ResolvedSettingsProps {
  panel: Panel;
  run: ShownRun;
  step: TraceStep;
}

export function ResolvedSettings({ panel, run, step }: ResolvedSettingsProps): JSX.Element | null {
  const { trace } = run;
  const nodes = panel.nodesOf(run);
  const resolved = useMemo(
    () => resolvedSettings(step.settings, definedSettings(trace, step, nodes), new ContextCursor(trace).before(step)),
    [trace, step, nodes],
  );
  if (resolved.length === 0) return null;
  return (
    <section class="resolved" aria-label="Resolved settings" data-resolved="">
      <p>
        {trace.tracing === 'observed'
          ? 'Filled in with the context’s values when the step started'
          : 'What the function received, beside its definition'}
      </p>
      <dl>
        {resolved.map(({ path, defined, received }) => (
          <div key={path}>
            <dt class="mono untrusted">{pointerAsPath(path)}</dt>
            <dd class="mono untrusted">
              <span class="muted">
                <ValueText value={defined} room={300} />
              </span>{' '}
              → <ValueText value={received} room={300} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
