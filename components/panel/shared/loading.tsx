/** Shows that data is loading, when it was loaded, and a button to reload it. */
import type { ComponentChildren, JSX } from 'preact';
import { Button } from '../../ui/index.ts';
import { formatAge, formatExactTime, isoTime } from '../../../lib/shared/format.ts';
import { useNow } from './use-now.ts';

export function Loading({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <p class="remark" role="status">
      {children}
    </p>
  );
}

interface LoadedAtProps {
  /** Epoch milliseconds. */
  at: number | null;
  loading?: boolean;
}

/** Shows when data was loaded, or that it's loading. */
export function LoadedAt({ at, loading = false }: LoadedAtProps): JSX.Element {
  useNow();
  if (loading) return <span class="muted">Loading…</span>;
  if (at === null) return <span class="muted" />;
  return (
    <span class="muted" data-read-at={at}>
      Updated{' '}
      <time dateTime={isoTime(at)} title={formatExactTime(at)}>
        {formatAge(at, Date.now())}
      </time>
    </span>
  );
}

interface RefreshToolsProps extends LoadedAtProps {
  /** What is loading, as a subject and verb, such as `the apps are`. */
  what: string;
  onRefresh: () => Promise<void>;
}

export function RefreshTools({ at, loading, what, onRefresh }: RefreshToolsProps): JSX.Element {
  return (
    <>
      <LoadedAt at={at} loading={loading} />
      <Button kind="quiet" unavailable={loading ? `Wait until ${what} loaded` : null} onClick={() => void onRefresh()}>
        Refresh
      </Button>
    </>
  );
}
