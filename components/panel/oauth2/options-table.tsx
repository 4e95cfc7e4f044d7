/** Owns the options of a service: each with its value, what it is for, and what is wrong with it. */
import type { JSX } from 'preact';
import { type ShownOption, shownOptions } from '../../../lib/extension/panel/oauth2/options.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import type { ServiceOption } from '../../../lib/extension/panel/oauth2/types.ts';
import { PlainValue, Secret } from './masked-text.tsx';

export function OptionsTable({
  store,
  service,
  options,
}: {
  store: OAuth2Store;
  service: string;
  options: readonly ServiceOption[];
}): JSX.Element {
  const reveal =
    (...path: string[]) =>
    () =>
      store.reveal(service, path);
  return (
    <section class="facts" aria-label="Options">
      <header class="section-head">
        <h2>Options</h2>
      </header>
      <dl class="fact-list">
        {shownOptions(options).map((shown) => (
          <Option key={shown.name} shown={shown} reveal={reveal} />
        ))}
      </dl>
    </section>
  );
}

function Option({
  shown: { name, option, meaning, problem },
  reveal,
}: {
  shown: ShownOption;
  reveal: (...path: string[]) => () => Promise<string | null>;
}): JSX.Element {
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

function Value({
  option,
  path,
  reveal,
}: {
  option: ServiceOption;
  path: string[];
  reveal: (...path: string[]) => () => Promise<string | null>;
}): JSX.Element {
  if (option.entries) {
    return (
      <ul class="entries">
        {option.entries.map((entry) => (
          <li key={entry.name}>
            <span class="mono untrusted">{entry.name}</span>:{' '}
            <Value option={entry} path={[...path, entry.name]} reveal={reveal} />
          </li>
        ))}
        {option.entries.length === 0 ? <li class="muted">empty</li> : null}
      </ul>
    );
  }
  if (option.masked && option.type === 'string' && option.masked.length > 0)
    return <Secret name={path.join('.')} value={option.masked} reveal={reveal(...path)} />;
  if (option.masked?.length === 0) return <span class="muted">empty: a public client</span>;
  return <PlainValue option={option} />;
}
