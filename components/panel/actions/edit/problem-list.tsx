/** Lists the problems that prevent saving an action. Each one links to its field. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ErrorValue } from '../../../../lib/platform-api/errors.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { ErrorCode } from '../../../ui/index.ts';
import type { Problem } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';

export interface ProblemListProps {
  problems: readonly Problem[];
  warnings: readonly Problem[];
  /** Whether the action would fail when it starts automatically. */
  failsUnattended: boolean;
  refusal: ErrorValue | null;
  onShow: (path: string) => void;
}

/** @param refusal the platform's error, when the problems come from the platform */
export function ProblemList(props: ProblemListProps): JSX.Element {
  const { problems, refusal, warnings, failsUnattended, onShow } = props;
  const id = useId();
  return (
    <div aria-live="polite">
      {problems.length === 0 ? null : (
        <section
          class="edit-problems"
          role={refusal ? 'alert' : undefined}
          data-code={refusal?.code}
          data-problems={problems.length}
          aria-labelledby={id}
        >
          <h3 id={id} class="untrusted">
            {refusal ? refusal.message : plural(problems.length, 'problem')}
            {refusal ? (
              <span class="muted">
                {' '}
                <ErrorCode code={refusal.code} status={refusal.status} />
              </span>
            ) : null}
          </h3>
          <Links problems={problems} mark="data-problem" onShow={onShow} />
        </section>
      )}
      {warnings.length === 0 ? null : (
        <section class="edit-problems warnings" data-warnings={warnings.length} aria-labelledby={`${id}-warnings`}>
          <h3 id={`${id}-warnings`}>
            {failsUnattended
              ? 'This action starts automatically, and fails at a step without required settings'
              : plural(warnings.length, 'warning')}
          </h3>
          <Links problems={warnings} mark="data-warning" onShow={onShow} />
        </section>
      )}
    </div>
  );
}

interface LinksProps extends Pick<ProblemListProps, 'problems' | 'onShow'> {
  mark: 'data-problem' | 'data-warning';
}

function Links({ problems, mark, onShow }: LinksProps): JSX.Element {
  return (
    <ul>
      {problems.map(({ path, message }, index) => (
        <li key={`${index} ${path}`} {...{ [mark]: path }}>
          <button type="button" class="link" onClick={() => onShow(path)}>
            <span class="untrusted">{message}</span> {path ? <code class="untrusted">{path}</code> : null}
          </button>
        </li>
      ))}
    </ul>
  );
}
