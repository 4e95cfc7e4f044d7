/** The options page’s views of the lock: without a passphrase, unlocked, and locked or damaged. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Result } from '../../lib/platform-api/index.ts';
import { plural } from '../../lib/shared/format.ts';
import { Select } from '../ui/field.tsx';
import { Button, DateTime } from '../ui/index.ts';
import { LockForm } from './lock-form.tsx';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import { TypedWord } from './typed-word.tsx';
import { type LockState, type VaultState, DEFAULT_IDLE_MINUTES } from '../../lib/extension/messaging/model/lock.ts';

/** In minutes. */
const IDLE_CHOICES = [1, 5, 15, 30, 60, 240, 1440];

export type Task = 'protect' | 'change' | 'unprotect' | 'reset' | null;

export interface LockStateProps {
  port: OptionsPort;
  /** The task that the user started. */
  task: Task;
  begin: (next: Task) => void;
  cancel: () => void;
  /** Shows a status once the task is done. */
  done: (text: string) => () => void;
  /** Waits for the worker, then shows the status or an error. */
  submit: (answering: Promise<Result<VaultState>>, text: string) => Promise<void>;
}

export function Unprotected({ port, task, begin, cancel, done }: LockStateProps): JSX.Element {
  const [idle, setIdle] = useState(DEFAULT_IDLE_MINUTES);
  return (
    <>
      <p class="hint">
        A passphrase protects your tokens if someone copies your disk or uses this computer while they’re locked.
        Programs and extensions that run while they’re unlocked can still read them.
      </p>
      {task === null ? (
        <div class="form-actions">
          <Button onClick={() => begin('protect')}>Set passphrase</Button>
        </div>
      ) : null}
      {task === 'protect' ? (
        <LockForm
          action="Set passphrase"
          asksNew
          onSubmit={(_, next) => port.protect(next, idle)}
          onDone={done('Passphrase set. Keep it safe: it can’t be recovered.')}
          onCancel={cancel}
        >
          <IdleChoice minutes={idle} onChange={setIdle} />
        </LockForm>
      ) : null}
    </>
  );
}

interface UnlockedProps extends LockStateProps {
  state: Extract<LockState, { kind: 'unlocked' }>;
}

export function Unlocked({ state, port, task, begin, cancel, done, submit }: UnlockedProps): JSX.Element {
  return (
    <>
      <p class="hint">
        Tokens are unlocked until <DateTime at={state.locksAt} />. Using the extension extends this time. Closing the
        browser also locks them.
      </p>
      {task === null ? (
        <>
          <IdleChoice
            minutes={state.idleMinutes}
            onChange={(minutes) =>
              void submit(port.setIdle(minutes), `Tokens lock after ${idleText(minutes)} of inactivity.`)
            }
          />
          <div class="form-actions">
            <Button kind="primary" onClick={() => void submit(port.lockNow(), 'Tokens locked.')}>
              Lock now
            </Button>
            <Button onClick={() => begin('change')}>Change passphrase</Button>
            <Button kind="quiet" onClick={() => begin('unprotect')}>
              Remove passphrase
            </Button>
          </div>
        </>
      ) : null}
      {task === 'change' ? (
        <LockForm
          action="Change passphrase"
          asksCurrent
          asksNew
          onSubmit={port.changePassphrase}
          onDone={done('Passphrase changed.')}
          onCancel={cancel}
        />
      ) : null}
      {task === 'unprotect' ? (
        <LockForm
          action="Remove passphrase"
          asksCurrent
          onSubmit={port.unprotect}
          onDone={done('Passphrase removed. The browser stores the key again.')}
          onCancel={cancel}
        >
          <p class="hint">
            After that, the browser stores the key. Anyone who can use this browser can use the tokens.
          </p>
        </LockForm>
      ) : null}
    </>
  );
}

interface IdleChoiceProps {
  minutes: number;
  onChange: (minutes: number) => void;
}

/** Sets how long tokens stay unlocked while the user is inactive. */
function IdleChoice({ minutes, onChange }: IdleChoiceProps): JSX.Element {
  const all = IDLE_CHOICES.includes(minutes) ? IDLE_CHOICES : [...IDLE_CHOICES, minutes].sort((a, b) => a - b);
  return (
    <Select
      name="idle"
      label="Lock when idle for"
      value={String(minutes)}
      options={all.map((each) => ({ value: String(each), label: idleText(each) }))}
      onChange={(value) => onChange(Number(value))}
    />
  );
}

function idleText(minutes: number): string {
  return minutes % 60 === 0 ? plural(minutes / 60, 'hour') : plural(minutes, 'minute');
}

/** @param isDamaged the stored lock can’t be used and can only be reset */
export function Locked({
  port,
  isDamaged,
  task,
  begin,
  cancel,
  submit,
  onReset,
}: LockStateProps & { isDamaged: boolean; onReset: () => void }): JSX.Element {
  if (task === 'reset') {
    return (
      <>
        <p class="hint">
          Tokens can’t be read without the passphrase. A reset removes the passphrase and every token. Environments,
          runs, payloads, and publish history are kept. Afterward, enter each token again.
        </p>
        <TypedWord
          word="reset"
          action="Remove all tokens"
          onConfirm={() =>
            submit(port.reset(), 'No passphrase is set now. Edit an environment to enter its token.').then(onReset)
          }
          onCancel={cancel}
        />
      </>
    );
  }
  return (
    <>
      {isDamaged ? null : (
        <p class="hint">
          Tokens can’t be used until you enter the passphrase, here or on another page of the extension.
        </p>
      )}
      <div class="form-actions">
        {port.lock.isPrompting() || isDamaged ? null : (
          <Button kind="primary" onClick={() => port.lock.prompt()}>
            Unlock
          </Button>
        )}
        <Button kind="quiet" onClick={() => begin('reset')}>
          I forgot my passphrase
        </Button>
      </div>
    </>
  );
}
