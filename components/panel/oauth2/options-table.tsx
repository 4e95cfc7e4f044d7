/** Shows a service's options, and what's wrong with them. */
import type { JSX } from 'preact';
import { type ShownOption, shownOptions } from '../../../lib/extension/panel/oauth2/options.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { ServiceOption } from '../../../lib/extension/panel/oauth2/types.ts';
import { PlainValue, Secret } from './masked-text.tsx';

type Reveal = (path: string[]) => Promise<string | null>;

interface OptionsTableProps {
  store: OAuth2Store;
  service: string;
  options: readonly ServiceOption[];
}

export function OptionsTable({ store, service, options }: OptionsTableProps): JSX.Element {
  return (
    <section class="facts" aria-label="Options">
      <header class="section-head">
        <h2>Options</h2>
      </header>
      <dl class="fact-list">
        {shownOptions(options).map((shown) => (
          <Option key={shown.name} shown={shown} reveal={(path) => store.reveal(service, path)} />
        ))}
      </dl>
    </section>
  );
}

function Option({ shown, reveal }: { shown: ShownOption; reveal: Reveal }): JSX.Element {
  const { name, option, meaning, problem } = shown;
  return (
    <div data-option={name} class={problem ? 'wrong' : undefined}>
      <dt class="untrusted" title={meaning}>
        {name}
      </dt>
      <dd>
        {option ? <Value option={option} path={[name]} reveal={reveal} /> : null}
        {problem ? (
          <div class="problem" data-option-problem={name}>
            {problem}
          </div>
        ) : null}
      </dd>
    </div>
  );
}

interface ValueProps {
  option: ServiceOption;
  path: string[];
  reveal: Reveal;
}

function Value({ option, path, reveal }: ValueProps): JSX.Element {
  const { entries, masked, type } = option;
  if (entries)
    return (
      <ul class="entries">
        {entries.map((entry) => (
          <li key={entry.name}>
            <span class="mono untrusted">{entry.name}</span>:{' '}
            <Value option={entry} path={[...path, entry.name]} reveal={reveal} />
          </li>
        ))}
        {entries.length === 0 ? <li class="muted">empty</li> : null}
      </ul>
    );
  if (masked?.length === 0) return <span class="muted">empty (public client)</span>;
  if (masked && type === 'string') return <Secret name={path.join('.')} value={masked} reveal={() => reveal(path)} />;
  return <PlainValue option={option} />;
}
