/** Finds the local platform on this computer, and says how to start it if it isn’t running. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue, Result } from '../../../lib/platform-api/index.ts';
import { localBaseUrls, portOf } from '../../../lib/extension/options/draft.ts';
import type { OptionsPort } from '../../../lib/extension/options/port.ts';
import { Alert, Button } from '../../ui/index.ts';
import type { HoldAccess } from './use-task.ts';

export type Finding = Promise<Result<{ baseUrl: string }>>;

export interface LocalFinderProps {
  port: OptionsPort;
  /** As entered. Its port is the one to look on. */
  baseUrl: string;
  /** A search that a click outside the form has started. */
  started: Finding | null | undefined;
  hold: HoldAccess;
  onFound: (baseUrl: string) => void;
}

export function LocalFinder(props: LocalFinderProps): JSX.Element {
  const { status, error, isLooking, find } = useFinding(props);
  const button = (label: string): JSX.Element => (
    <Button unavailable={isLooking ? 'Wait for the search to finish' : null} onClick={find}>
      {label}
    </Button>
  );
  return (
    <div class="find-local">
      {error ? (
        <Alert error={error} actions={button('Try again')} />
      ) : (
        <div class="form-actions">
          {button('Find the local platform')}
          <span class="status" role="status">
            {status}
          </span>
        </div>
      )}
    </div>
  );
}

function useFinding({ port, baseUrl, started, hold, onFound }: LocalFinderProps) {
  const [isLooking, setLooking] = useState(false);
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  /** The latest search. */
  const latest = useRef<Finding | null>(null);

  const follow = (finding: Finding, number: number): void => {
    latest.current = finding;
    hold(localBaseUrls(number), finding);
    setLooking(true);
    setError(null);
    setStatus(`Looking on port ${number}…`);
    void finding.then((found) => {
      if (latest.current !== finding) return;
      setLooking(false);
      setStatus(found.ok ? `Found at ${found.value.baseUrl}. Enter its token.` : '');
      if (found.ok) onFound(found.value.baseUrl);
      else setError(found.error);
    });
  };
  useEffect(() => {
    if (started) follow(started, portOf(''));
    return () => void (latest.current = null);
  }, []);
  /** Starts in the click, because the browser can ask for access. */
  const find = (): void => follow(port.findLocalPlatform(portOf(baseUrl)), portOf(baseUrl));
  return { status, error, isLooking, find };
}
