/** Every field of an app, including fields that aren't in the specification. */
import type { ComponentChildren, JSX } from 'preact';
import type { App } from '../../../lib/platform-api/app.ts';
import { APP_COLUMNS } from '../../../lib/extension/panel/apps/app-rows.ts';
import { plural, truncate } from '../../../lib/shared/format.ts';
import { Button } from '../../ui/index.ts';
import { CopyButton, type CopyText } from '../../ui/copy-button.tsx';
import { Fact } from './fact.tsx';
import { iconUse } from './icon.ts';
import { Unknown, PlatformTime } from './platform-time.tsx';

export interface AppFactsProps {
  app: App;
  baseUrl: string;
  /** The newest known version, which can also come from sessions or from releases published here. */
  latest: number | null;
  now: number;
  copyText: CopyText;
  /** Another app's name; null if it isn't listed. */
  nameOf: (id: number) => string | null;
  onOpenApp: (id: number) => void;
}

const KNOWN: ReadonlySet<string> = new Set(APP_COLUMNS.map(({ id }) => id));

export function AppFacts(props: AppFactsProps): JSX.Element {
  const { app, latest, now, copyText } = props;
  const others = Object.entries(app).filter(([name]) => !KNOWN.has(name));
  const { settings, releases, dependencies } = app;
  // Platforms can list these as null even if the app has some.
  const counts = {
    settings: settings && Object.keys(settings).length,
    releases: releases && releases.length,
    dependencies: dependencies && dependencies.length,
  };
  return (
    <section class="part full-width" aria-label="Properties">
      <dl class="facts">
        <Fact name="ID">
          <code>{app.id}</code> <CopyButton what="ID" text={String(app.id)} copyText={copyText} />
        </Fact>
        <Fact name="Version">{latest ?? app.version ?? 'unknown'}</Fact>
        <Fact name="Production">
          <ProductionApp {...props} />
        </Fact>
        <Fact name="Your role">{app.appUser ? <Role {...app.appUser} /> : 'none'}</Fact>
        <Fact name="Updated">
          <PlatformTime text={app.updatedAt} now={now} />
        </Fact>
        <Fact name="Created">
          <PlatformTime text={app.createdAt} now={now} />
        </Fact>
        {app.deletedAt === null ? null : (
          <Fact name="Deleted">
            <PlatformTime text={app.deletedAt} now={now} />
          </Fact>
        )}
        <Fact name="Slug">{app.slug ? <code class="untrusted">{truncate(app.slug, 200)}</code> : <Unknown />}</Fact>
        <Fact name="Organization">
          <code>{app.organizationId}</code>
        </Fact>
        <Fact name="Starting page">
          {app.startingPageId === null ? <Unknown /> : <code>{app.startingPageId}</code>}
        </Fact>
        <Fact name="Icon">
          <Icon {...props} />
        </Fact>
        <Fact name="Contents">
          {[
            countText(counts.settings, 'setting'),
            countText(counts.releases, 'release'),
            countText(counts.dependencies, 'dependency', 'dependencies'),
          ].join(', ')}
        </Fact>
      </dl>
      {others.length > 0 ? (
        <Raw title={plural(others.length, 'other field')} value={Object.fromEntries(others)} />
      ) : null}
      {Object.values(counts).some(Boolean) ? (
        <Raw title="Settings, releases, and dependencies (JSON)" value={{ settings, releases, dependencies }} />
      ) : null}
    </section>
  );
}

const countText = (count: number | null | undefined, one: string, many = `${one}s`): string =>
  count == null ? `${many} unknown` : count === 0 ? `no ${many}` : plural(count, one, many);

function Role({ appRoleId, userId }: NonNullable<App['appUser']>): JSX.Element {
  return (
    <>
      role <code>{appRoleId}</code>, user <code>{userId}</code>
    </>
  );
}

/** Longer JSON is truncated. */
const SHOWN = 20_000;

function Raw({ title, value }: { title: ComponentChildren; value: unknown }): JSX.Element {
  return (
    <details>
      <summary>{title}</summary>
      <pre class="untrusted" tabIndex={0}>
        {truncate(JSON.stringify(value, null, 2) ?? '', SHOWN)}
      </pre>
    </details>
  );
}

function ProductionApp({ app, nameOf, onOpenApp }: AppFactsProps): JSX.Element {
  const id = app.productionAppId;
  if (id === null || id === undefined) return <>none</>;
  if (id === app.id) return <>this app</>;
  const name = nameOf(id);
  if (name === null)
    return (
      <>
        app <code>{id}</code> (not in this list)
      </>
    );
  return (
    <Button kind="quiet" title="Open this app" onClick={() => onOpenApp(id)}>
      <span class="untrusted">{truncate(name, 100)}</span> ({id})
    </Button>
  );
}

function Icon({ app, baseUrl }: AppFactsProps): JSX.Element {
  const { link, reason } = iconUse(app.icon ?? '', baseUrl);
  return (
    <>
      {app.icon ? (
        <code class="untrusted" title={truncate(app.icon, 500)}>
          {truncate(app.icon, 26)}
        </code>
      ) : null}{' '}
      {link === null ? (
        <Button kind="quiet" unavailable={reason}>
          Open icon
        </Button>
      ) : (
        <a class="button quiet" href={link} target="_blank" rel="noopener noreferrer">
          Open icon
        </a>
      )}
    </>
  );
}
