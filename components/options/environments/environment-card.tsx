/** Shows a stored environment, with buttons to edit, test, and remove it. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../../lib/platform-api/index.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import { Alert, Badge, Button } from '../../ui/index.ts';
import type { OptionsPort } from '../../../lib/extension/options/port.ts';
import {
  type Endpoints,
  type Environment,
  PRESET_NAMES,
  type TestedConnection,
} from '../../../lib/extension/messaging/model/environment.ts';

export interface EnvironmentCardProps {
  environment: Environment;
  /** Whether the browser allows requests to the base URL; null until that is known. */
  hasAccess: boolean | null;
  port: OptionsPort;
  onEdit(): void;
  onRemoved(isHistoryRemoved: boolean): Promise<void>;
  onAccess(): void;
}

export function EnvironmentCard(props: EnvironmentCardProps): JSX.Element {
  const { environment, hasAccess, onEdit } = props;
  const { id, name, problem, preset, production } = environment;
  const [isConfirming, setConfirming] = useState(false);
  const { isBusy, status, error, dismiss, test, cancel, allow, remove } = useCardTasks(props);
  return (
    <article class="environment" aria-label={name} data-environment={id}>
      <header>
        <h3 class="untrusted">{name}</h3>
        {preset === 'custom' || PRESET_NAMES[preset] === name ? null : <Badge>{PRESET_NAMES[preset]}</Badge>}
        {production ? <Badge tone="danger">Production</Badge> : null}
        {hasAccess === false ? <Badge tone="warning">No access</Badge> : null}
      </header>
      <Facts environment={environment} />
      {problem && !isLocked(environment) ? <Alert error={problem} /> : null}
      {error ? <Alert error={error} onDismiss={dismiss} /> : null}
      <div class="form-actions">
        {isConfirming ? (
          <>
            <span>
              Remove <strong class="untrusted">{name}</strong>, its token, and its publish history?
            </span>
            <Button kind="danger" onClick={remove}>
              Remove environment
            </Button>
            <Button kind="quiet" onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            {hasAccess === false ? (
              <Button kind="primary" onClick={allow}>
                Allow access
              </Button>
            ) : null}
            <Button onClick={test} unavailable={isBusy ? 'Wait for the test to finish' : null}>
              Test connection
            </Button>
            {isBusy ? (
              <Button kind="quiet" onClick={cancel}>
                Cancel
              </Button>
            ) : null}
            <Button onClick={onEdit}>Edit</Button>
            <Button kind="quiet" onClick={() => setConfirming(true)}>
              Remove
            </Button>
          </>
        )}
        <span class="status" role="status">
          {status}
        </span>
      </div>
    </article>
  );
}

function tokenState(environment: Environment): string {
  if (isLocked(environment)) return 'locked';
  return environment.problem ? 'can’t be read' : 'none (edit to enter one)';
}

const isLocked = ({ problem }: Environment): boolean => problem?.code === 'VAULT_LOCKED';

const ENDPOINTS: Record<Endpoints, string> = {
  all: 'More than the specified ones',
  specified: 'None found beyond the specified ones (the panel reaches actions and logs through a page)',
};

function Facts({ environment }: { environment: Environment }): JSX.Element {
  const { baseUrl, maskedToken, namespace, endpoints, pageUrls = [] } = environment;
  return (
    <dl>
      <dt>Base URL</dt>
      <dd>
        <code class="untrusted">{baseUrl}</code>
      </dd>
      {pageUrls.length > 0 ? (
        <>
          <dt>Page URLs</dt>
          <dd>
            <code class="untrusted">{pageUrls.join(' ')}</code>
          </dd>
        </>
      ) : null}
      <dt>Token</dt>
      <dd>{maskedToken ? <code>{maskedToken}</code> : <span class="missing">{tokenState(environment)}</span>}</dd>
      {endpoints ? (
        <>
          <dt>Endpoints</dt>
          <dd>{ENDPOINTS[endpoints]}</dd>
        </>
      ) : null}
      <dt>Namespace</dt>
      <dd>
        <code>{namespace}</code>
      </dd>
    </dl>
  );
}

/** Runs one task at a time: a connection test, a removal, or an access request. Ignores results of canceled tasks. */
function useCardTasks({ environment: { id, baseUrl }, port, onRemoved, onAccess }: EnvironmentCardProps) {
  const [isBusy, setBusy] = useState(false);
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  /** Identifies the latest task. */
  const latest = useRef(0);

  const run = async (message: string, work: (isCurrent: () => boolean) => Promise<void>): Promise<void> => {
    if (isBusy) return;
    const task = ++latest.current;
    setBusy(true);
    setStatus(message);
    setError(null);
    await work(() => latest.current === task);
    if (latest.current === task) setBusy(false);
  };
  const test = (): void => {
    const requested = port.requestAccess(baseUrl);
    void run(`Testing ${new URL(baseUrl).host}…`, async (isCurrent) => {
      await requested;
      onAccess();
      const answer = await port.test({ id });
      if (!isCurrent()) return;
      setStatus(answer.ok ? connectedText(answer.value) : '');
      if (!answer.ok) setError(answer.error);
    });
  };
  const cancel = (): void => {
    latest.current++;
    setBusy(false);
    setStatus('');
  };
  const allow = (): void => {
    const requested = port.requestAccess(baseUrl);
    // What an earlier prompt led to says nothing about this one.
    setStatus('');
    void requested.then((allowed) => {
      setStatus(allowed ? 'Access allowed.' : 'Access wasn’t allowed.');
      onAccess();
    });
  };
  const remove = (): void =>
    void run('Removing…', async (isCurrent) => {
      const removed = await port.remove(id);
      if (removed.ok) return onRemoved(removed.value.isHistoryRemoved);
      if (!isCurrent()) return;
      setStatus('');
      setError(removed.error);
    });
  return { isBusy, status, error, dismiss: () => setError(null), test, cancel, allow, remove };
}

/** The status after a successful connection test. */
export function connectedText({ apps, unreadable, milliseconds }: TestedConnection): string {
  const others = unreadable > 0 ? `, ${unreadable} couldn’t be read` : '';
  return `Connected: ${plural(apps, 'app')}${others} (${formatDuration(milliseconds)}).`;
}
