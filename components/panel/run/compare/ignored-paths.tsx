/** The list of paths that are ignored as volatile, in a menu: add and remove them. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Compare } from '../../../../lib/extension/panel/run/compare/compare.ts';
import { patternProblem } from '../../../../lib/extension/panel/run/compare/volatile/volatile-paths.ts';
import { formatCount, plural } from '../../../../lib/shared/format.ts';
import { Field } from '../../../ui/field.tsx';
import { Alert, Button } from '../../../ui/index.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';

export interface IgnoredPathsProps {
  compare: Compare;
  /** The number of differences that are ignored. */
  ignored: number;
}

export function IgnoredPaths({ compare, ignored }: IgnoredPathsProps): JSX.Element {
  const paths = compare.volatile.value.value;
  const label =
    paths.length > 0 ? `Ignored: ${plural(paths.length, 'path')}, ${plural(ignored, 'difference')}` : 'Ignored paths';
  return (
    <MenuButton
      menu="Ignored paths"
      menuClass="ignored-menu"
      button={{ 'aria-label': label, title: label, 'data-ignored': ignored }}
      face={
        <>
          Ignored {paths.length > 0 ? formatCount(paths.length) : ''} <span aria-hidden="true">▾</span>
        </>
      }
    >
      {() => <PathList compare={compare} ignored={ignored} />}
    </MenuButton>
  );
}

function PathList({ compare, ignored }: IgnoredPathsProps): JSX.Element {
  const { volatile } = compare;
  const paths = volatile.value.value;
  const unreadable = volatile.unreadable.value?.error;
  const error = volatile.error.value;
  const startOver = (): void => void volatile.startOver().then(() => compare.compareAgain());
  return (
    <div class="ignored-paths" data-ignored-paths="">
      {unreadable ? <Alert error={unreadable} actions={<Button onClick={startOver}>Start over</Button>} /> : null}
      {error ? <Alert error={error} /> : null}
      {paths.length === 0 ? (
        <p class="muted">
          Values that change with each run, such as times, can be ignored. Select a difference, then “Ignore this path”.
        </p>
      ) : (
        <>
          <p class="muted" role="status">
            {plural(ignored, 'difference')} ignored.
          </p>
          <ul aria-label="Ignored paths">
            {paths.map((path) => (
              <li key={path}>
                <code class="untrusted">{path}</code>
                <Button
                  kind="quiet"
                  label={`Remove ${path}`}
                  title="Compare this path again"
                  onClick={() => void compare.setIgnored(path, false)}
                >
                  ✕
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {unreadable ? null : <NewPath compare={compare} />}
    </div>
  );
}

function NewPath({ compare }: { compare: Compare }): JSX.Element {
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const problem = patternProblem(text.trim(), compare.volatile.value.value);
  const add = (): void => {
    setTried(problem !== null);
    if (problem !== null) return;
    setText('');
    void compare.setIgnored(text.trim(), true);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <Field
        name="ignored-path"
        label="Path"
        placeholder="/records/*/updatedAt"
        hint="Use * for one key or index, and ** for any number."
        value={text}
        problem={isTried ? problem : null}
        onInput={setText}
      />
      <Button onClick={add}>Ignore</Button>
    </form>
  );
}
