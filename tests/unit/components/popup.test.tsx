// @vitest-environment happy-dom
/** Owns the proof that the popup says so when what follows on *Publish* cannot be loaded, and that nothing was published or lost. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/preact';
import { afterEach, expect, it, vi } from 'vitest';
import { PopupView } from '../../../components/popup/popup.tsx';
import type { MessageName, Send } from '../../../lib/extension/messaging/protocol.ts';
import { createKept } from '../../../lib/extension/popup/kept.ts';
import { createPopup } from '../../../lib/extension/popup/popup.ts';

vi.mock('../../../components/popup/after-publish.tsx', () => {
  throw new Error('The extension was updated.');
});
afterEach(cleanup);

const ANSWERS: Partial<Record<MessageName, unknown>> = {
  'environments.list': [{ id: 'live', name: 'Live', production: true }],
  'apps.list': [{ id: 7, name: 'Field Service', version: 12, updatedAt: 't12', deletedAt: null }],
  'publish.list': [],
  'publish.preview': {
    appId: 7,
    name: 'Field Service',
    current: { version: 12, updatedAt: 't12' },
    audience: { users: 3, behind: 1 },
    audienceError: null,
  },
};

it('a second step that cannot be loaded is told in the form’s place; what was written is kept', async () => {
  const asked: string[] = [];
  const stored = new Map<string, string>();
  const kept = createKept({
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => void stored.set(key, value),
    removeItem: (key) => void stored.delete(key),
  });
  kept.keepEnvironmentId('live');
  kept.keepAppId('live', 7);
  const send = ((name) => {
    asked.push(name);
    return Promise.resolve({ ok: true, value: ANSWERS[name] });
  }) as Send;
  const popup = createPopup({
    send,
    kept,
    now: () => 1,
    later: () => () => {},
    notices: { isAllowed: async () => false, allow: async () => false, giveUp: async () => true },
  });
  await popup.open();
  render(<PopupView popup={popup} openOptions={() => {}} />);
  fireEvent.input(screen.getByLabelText('What has changed'), { target: { value: 'Faster.' } });
  await waitFor(() => expect(screen.getByText('Publish…').getAttribute('aria-disabled')).toBeNull());
  fireEvent.click(screen.getByText('Publish…'));
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('This part of the window could not be loaded'),
  );
  expect(screen.queryByLabelText('What has changed')).toBeNull();
  expect(asked).not.toContain('publish.start');
  expect(kept.draft('live', 7).changelog).toBe('Faster.');
});
