// @vitest-environment happy-dom
/** Uses the unlock form with keyboard and screen reader, and while typing elsewhere. */
import { act, cleanup, configure, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UnlockPort } from '../../../components/ui/unlock/unlock-port.ts';
import { Unlock } from '../../../components/ui/unlock/unlock.tsx';
import type { ErrorValue } from '../../../lib/platform-api/errors.ts';
import type { LockState } from '../../../lib/extension/messaging/model/lock.ts';

configure({ asyncUtilTimeout: 15_000 });
const RIGHT = 'four words that fit';
const UNLOCKED: LockState = { kind: 'unlocked', idleMinutes: 15, locksAt: 1 };
const locked = (retryAt: number | null = null): LockState => ({ kind: 'locked', idleMinutes: 15, retryAt });

let state: LockState | null;
let asking: boolean;
let refusal: ErrorValue;
let tried: string[];
const listeners = new Set<() => void>();
const set = (next: LockState | null, isPrompting: boolean) =>
  act(() => {
    state = next;
    asking = isPrompting;
    for (const listener of listeners) listener();
  });
const lock: UnlockPort = {
  state: () => state,
  isPrompting: () => asking,
  subscribe: (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  unlock: async (passphrase) => {
    tried.push(passphrase);
    if (passphrase !== RIGHT) return { ok: false, error: refusal };
    await set(UNLOCKED, false);
    return { ok: true, value: { quarantined: 0, lock: UNLOCKED } };
  },
  dismiss: () => void set(state, false),
};

beforeEach(() => {
  state = null;
  asking = false;
  refusal = { code: 'PASSPHRASE_WRONG', message: 'The passphrase is wrong.' };
  tried = [];
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  document.body.innerHTML = '';
});

const form = () => screen.queryByRole('form', { name: 'Unlock' });
const field = () => screen.getByLabelText<HTMLInputElement>('Passphrase');
const submit = (passphrase: string) => {
  fireEvent.input(field(), { target: { value: passphrase } });
  fireEvent.submit(form()!);
};
const read = () => screen.getAllByRole('status').map(({ textContent }) => textContent?.trim());
const show = () =>
  render(
    <>
      <textarea aria-label="Notes" />
      <Unlock lock={lock} onForgotten={() => tried.push('forgotten')} />
    </>,
  );

describe('the unlock form', () => {
  it('takes the focus while it is shown, and returns it', async () => {
    show();
    const notes = screen.getByLabelText('Notes');
    notes.focus();
    expect(form()).toBeNull();
    await set(locked(), true);
    expect(document.activeElement).toBe(field());
    expect({ type: field().type, autocomplete: field().autocomplete }).toEqual({
      type: 'password',
      autocomplete: 'off',
    });
    submit(RIGHT);
    await waitFor(() => expect(form()).toBeNull());
    expect(tried).toEqual([RIGHT]);
    expect(document.activeElement).toEqual(notes);
  });

  it.each([
    ['types', 'a', false],
    ['has pressed Enter', 'Enter', true],
  ])('leaves the focus to a person who %s', async (_, key, takes) => {
    show();
    const notes = screen.getByLabelText('Notes');
    notes.focus();
    fireEvent.keyDown(notes, { key });
    await set(locked(), true);
    expect(document.activeElement === field()).toBe(takes);
  });

  it('takes the focus when the last key press was long ago', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    show();
    screen.getByLabelText('Notes').focus();
    fireEvent.keyDown(screen.getByLabelText('Notes'), { key: 'a' });
    vi.advanceTimersByTime(3_001);
    await set(locked(), true);
    expect(document.activeElement).toBe(field());
  });

  it('ignores an empty passphrase, closes with “Not now”, and opens options with “Forgot passphrase”', async () => {
    show();
    await set(locked(), true);
    submit('');
    fireEvent.click(screen.getByRole('button', { name: 'Forgot passphrase' }));
    fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
    expect(tried).toEqual(['forgotten']);
    expect(form()).toBe(null);
  });

  it('shows a wrong passphrase at the field, and other errors as an alert', async () => {
    show();
    await set(locked(), true);
    submit('wrong');
    await waitFor(() => expect(field().getAttribute('aria-invalid')).toBe('true'));
    expect(document.getElementById(field().getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'The passphrase is wrong.',
    );
    expect(read()).toContain('The passphrase is wrong. You can try again now.');
    expect(document.activeElement).toBe(field());
    refusal = { code: 'VAULT_LOCK_DAMAGED', message: 'Damaged.' };
    submit('wrong again');
    await waitFor(() => expect(screen.getByRole('alert').getAttribute('data-code')).toBe('VAULT_LOCK_DAMAGED'));
    expect(field().getAttribute('aria-invalid')).toBeNull();
  });

  it('counts down until the next try, announces the wait once, and sends nothing until then', async () => {
    vi.useFakeTimers();
    show();
    await set(locked(Date.now() + 3_000), true);
    const received = new Set(read());
    for (const seconds of [3, 2, 1]) {
      expect(screen.getByText(`Try again in ${seconds} s.`).getAttribute('aria-hidden')).toBe('true');
      submit(RIGHT);
      await act(async () => void (await vi.advanceTimersByTimeAsync(1_000)));
      for (const text of read()) received.add(text);
    }
    expect(screen.queryByText(/Try again in/)).toBeNull();
    expect([...received]).toEqual([
      'Tokens are locked. Enter the passphrase to continue.',
      'You can try again in 3 seconds.',
      '',
    ]);
    expect(tried).toEqual([]);
    submit(RIGHT);
    await act(async () => void (await vi.advanceTimersByTimeAsync(0)));
    expect(tried).toEqual([RIGHT]);
  });
});
