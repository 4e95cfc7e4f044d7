/** Shows an error instead of a view that fails, so that the rest of its surface stays usable. */
import { Component, type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { ErrorValue } from '../../../lib/platform-api/errors.ts';
import { copyText } from '../../../lib/shared/copy-text.ts';
import { formatExactTime, truncate } from '../../../lib/shared/format.ts';
import { Alert } from '../alert.tsx';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';

export interface SurfaceFacts {
  /** Such as `panel`. */
  name: string;
  /** What has been done, as far as it’s known, in full sentences: a failing view doesn’t undo it. */
  done: () => string;
}

export const SurfaceContext = createContext<SurfaceFacts>({ name: 'page', done: () => '' });

interface BoundaryProps {
  children: ComponentChildren;
  /** Names what is shown. Another view is tried although this one has failed. */
  of?: string;
}
interface BoundaryState {
  of?: string | undefined;
  failed: { thrown: unknown; at: number } | null;
}

export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, failed: null };

  static override getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { of, failed: null };
  }

  override componentDidCatch(thrown: unknown): void {
    this.setState({ failed: { thrown, at: Date.now() } });
    // The browser’s console has the place in the code.
    console.error(thrown);
  }

  override render(): ComponentChildren {
    const { failed } = this.state;
    return failed ? <Failed {...failed} onRetry={() => this.setState({ failed: null })} /> : this.props.children;
  }
}

function Failed({ thrown, at, onRetry }: { thrown: unknown; at: number; onRetry: () => void }): JSX.Element {
  const { name, done } = useContext(SurfaceContext);
  const error = viewFailed(thrown);
  const facts = attempt(done);
  return (
    <div class="view-failed">
      <Alert
        error={error}
        title={facts ? `${error.message} ${facts}` : error.message}
        actions={
          <>
            <Button onClick={onRetry}>Try again</Button>
            <CopyButton what="the error" text={reportOf(error, thrown, name, at)} copyText={copyText} />
          </>
        }
      />
    </div>
  );
}

function viewFailed(thrown: unknown): ErrorValue {
  const cause = attempt(() => String(thrown instanceof Error ? thrown.message : thrown)).trim();
  return {
    code: 'VIEW_FAILED',
    message: `Couldn’t show this view: ${truncate(cause, 200).replace(/\.$/, '') || 'an unexpected error'}.`,
    hint: 'Try again. If it fails again, copy the error and report it: it’s a bug in the extension.',
  };
}

function reportOf({ code, message }: ErrorValue, thrown: unknown, name: string, at: number): string {
  const stack = attempt(() => (thrown instanceof Error ? (thrown.stack ?? '') : ''));
  return [`${code} (${name})`, message, attempt(() => formatExactTime(at)), navigator.userAgent, stack].join('\n');
}

/** What failed once can fail again. */
function attempt(text: () => string): string {
  try {
    return text();
  } catch {
    return '';
  }
}
