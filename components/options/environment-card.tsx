/** Owns how one stored environment is shown, and what can be done with it. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Environment, ErrorValue } from '../../lib/platform-api/index.ts';
import { PRESET_NAMES } from '../../lib/platform-api/index.ts';
import { Alert, Badge, Button } from '../ui/index.ts';
import type { OptionsPort } from '../../lib/extension/options/port.ts';

export interface EnvironmentCardProps {
  environment: Environment;
  /** Whether the browser lets the extension ask this address; null while that is not known. */
  access: boolean | null;
  port: OptionsPort;
  onEdit(): void;
  onRemoved(): Promise<void>;
  onAccess(): void;
}

export function EnvironmentCard({
  environment,
  access,
  port,
  onEdit,
  onRemoved,
  onAccess,
}: EnvironmentCardProps): JSX.Element {
  const { id, name, baseUrl, namespace, maskedToken, problem, preset, production } = environment;
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const [status, setStatus] = useState('');
  const [error, setError] = useState<ErrorValue | null>(null);
  const wait = useRef(0);
  const isLocked = problem?.code === 'VAULT_LOCKED';

  const run = async (said: string, job: (current: () => boolean) => Promise<void>): Promise<void> => {
    if (busy) return;
    const mine = ++wait.current;
    setBusy(true);
    setStatus(said);
    setError(null);
    await job(() => wait.current === mine);
    if (wait.current === mine) setBusy(false);
  };
  const test = (): void => {
    const asked = port.requestAccess(baseUrl);
    void run(`Asking ${new URL(baseUrl).host}…`, async (current) => {
      await asked;
      onAccess();
      const answer = await port.test({ id });
      if (!current()) return;
      setStatus(
        answer.ok
          ? `Connected: the token sees ${answer.value.apps} ${answer.value.apps === 1 ? 'app' : 'apps'} (${answer.value.milliseconds} ms).`
          : '',
      );
      if (!answer.ok) setError(answer.error);
    });
  };
  const giveUp = (): void => {
    wait.current++;
    setBusy(false);
    setStatus('');
  };
  const allow = (): void => {
    const asked = port.requestAccess(baseUrl);
    void asked.then((allowed) => {
      setStatus(allowed ? 'Access allowed.' : 'The browser did not allow access.');
      onAccess();
    });
  };
  const remove = (): void =>
    void run('Removing…', async (current) => {
      const removed = await port.remove(id);
      if (removed.ok) return onRemoved();
      if (!current()) return;
      setStatus('');
      setError(removed.error);
    });

  return (
    <article class="environment" aria-label={name} data-environment={id}>
      <header>
        <h3 class="untrusted">{name}</h3>
        {preset === 'custom' || PRESET_NAMES[preset] === name ? null : <Badge>{PRESET_NAMES[preset]}</Badge>}
        {production ? <Badge tone="danger">production</Badge> : null}
        {access === false ? <Badge tone="warning">no access yet</Badge> : null}
      </header>
      <dl>
        <dt>Base URL</dt>
        <dd>
          <code class="untrusted">{baseUrl}</code>
        </dd>
        <dt>Token</dt>
        <dd>
          {maskedToken ? (
            <code>{maskedToken}</code>
          ) : (
            <span class="missing">{isLocked ? 'locked' : 'none: press Edit to enter one'}</span>
          )}
        </dd>
        <dt>Namespace</dt>
        <dd>
          <code>{namespace}</code>
        </dd>
      </dl>
      {problem && !isLocked ? <Alert error={problem} /> : null}
      {error ? <Alert error={error} onDismiss={() => setError(null)} /> : null}
      <div class="form-actions">
        {confirming ? (
          <>
            <span>
              Remove <strong class="untrusted">{name}</strong> with its token, and what is known here of its publishes?
            </span>
            <Button kind="danger" onClick={remove}>
              Remove for good
            </Button>
            <Button kind="quiet" onClick={() => setConfirming(false)}>
              Keep
            </Button>
          </>
        ) : (
          <>
            {access === false ? (
              <Button kind="primary" onClick={allow}>
                Allow access
              </Button>
            ) : null}
            <Button onClick={test} unavailable={busy ? 'One moment.' : null}>
              Test connection
            </Button>
            {busy ? (
              <Button kind="quiet" onClick={giveUp}>
                Stop waiting
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
