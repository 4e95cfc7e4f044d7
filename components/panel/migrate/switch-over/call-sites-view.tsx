/** Call sites to change, with texts to search for. */
import type { JSX } from 'preact';
import type { Switching } from '../../../../lib/extension/panel/migrate/switch-over/switching.ts';
import { Alert, Button } from '../../../ui/index.ts';
import { formatCount, plural } from '../../../../lib/shared/format.ts';
import { CopyButton, type CopyText } from '../../../ui/copy-button.tsx';
import { ActionTime } from '../../shared/time.tsx';

type CallSites = NonNullable<Switching['plan']['value']>['calls'];

interface CallSitesProps {
  switching: Switching;
  calls: CallSites;
  copyText: CopyText;
}

export function CallSitesView({ switching, calls, copyText }: CallSitesProps): JSX.Element {
  const runs = plural(switching.logs.value.length, 'run');
  const error = switching.logsError.value;
  return (
    <section class="part switch-calls" aria-label="Call sites">
      <h3>Call sites to change</h3>
      {error ? (
        <Alert
          error={{ ...error, message: `Couldn’t read the log, so calls are unknown: ${error.message}` }}
          actions={<Button onClick={() => void switching.load()}>Try again</Button>}
        />
      ) : null}
      <p>
        {error ? (
          'Search for calls.'
        ) : calls.calls ? (
          <>
            Of the newest {runs} in the log, {formatCount(calls.calls.count)} called V2, the last{' '}
            <ActionTime at={calls.calls.last} now={Date.now()} />. Log records don’t name callers.
          </>
        ) : (
          `The newest ${runs} in the log have no calls of V2. Search for them anyway.`
        )}
      </p>
      <ul>
        {calls.changes.map(({ before, after, note }) => (
          <li key={before}>
            <code class="untrusted">{before}</code> → <code class="untrusted">{after}</code>{' '}
            <CopyButton what={`the new call ${after}`} text={after} copyText={copyText} />
            {note ? <p class="remark">{note}</p> : null}
          </li>
        ))}
      </ul>
      <h4>Search for</h4>
      <ul>
        {calls.searches.map((search) => (
          <li key={search}>
            <code class="untrusted">{search}</code>{' '}
            <CopyButton what={`the search text ${search}`} text={search} copyText={copyText} />
          </li>
        ))}
      </ul>
    </section>
  );
}
