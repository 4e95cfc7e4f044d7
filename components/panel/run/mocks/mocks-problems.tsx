/** What is wrong with an action’s mocks: stored ones that can’t be read, sets that are gone, and mocks that never apply. */
import type { JSX } from 'preact';
import type { Mocks } from '../../../../lib/extension/panel/run/mocks/mocks.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Alert, Button, Notice } from '../../../ui/index.ts';

export function MocksProblems({ mocks }: { mocks: Mocks }): JSX.Element {
  const error = mocks.error.value;
  const missing = mocks.missing.value;
  return (
    <>
      {mocks.unreadable.value.map(({ error: unreadable, text }) => (
        <Alert
          key={text}
          error={unreadable}
          actions={
            <>
              <Button onClick={() => mocks.saveUnreadable(text)}>Save as a file</Button>
              <Button onClick={() => void mocks.startOver()}>Start with no mocks</Button>
            </>
          }
        />
      ))}
      {error ? <Alert error={error} actions={<Button onClick={() => void mocks.refresh()}>Try again</Button>} /> : null}
      {missing > 0 ? (
        <Notice code="MOCK_SETS_GONE" actions={<Button onClick={mocks.forgetMissing}>Dismiss</Button>}>
          {plural(missing, 'set')} that {missing === 1 ? 'was' : 'were'} on {missing === 1 ? 'isn’t' : 'aren’t'} there
          anymore.
        </Notice>
      ) : null}
      <SetProblems mocks={mocks} />
    </>
  );
}

function SetProblems({ mocks }: { mocks: Mocks }): JSX.Element | null {
  const problems = mocks.problems.value;
  if (problems.length === 0) return null;
  return (
    <ul class="mock-problems" aria-label="Problems">
      {problems.slice(0, 5).map(({ setId, index, code, message }) => (
        <li key={`${setId} ${index} ${code}`} class="warning untrusted" data-mock-problem={code}>
          {mocks.nameOf(setId)}: {message}
        </li>
      ))}
      {problems.length > 5 ? <li class="warning">{plural(problems.length - 5, 'more problem')}</li> : null}
    </ul>
  );
}
