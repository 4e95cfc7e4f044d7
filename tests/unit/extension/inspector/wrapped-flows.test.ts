/** What is seen of a login of a library that doesn’t report it. */
import { expect, it, onTestFinished } from 'vitest';
import { WrappedFlows } from '../../../../lib/extension/inspector/oauth2/agent/wrapped-flows.ts';
import { Mask } from '../../../../lib/extension/inspector/oauth2/agent/mask.ts';
import type { Services } from '../../../../lib/extension/inspector/oauth2/agent/services.ts';

it('a popup’s last message is part of the login, even if the popup was closed before it arrived', () => {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => [port1, port2].forEach((port) => port.close()));
  const popup = Object.assign(port1, { closed: false });
  const reported: unknown[] = [];
  const services = { list: () => [], named: () => undefined } as unknown as Services;
  const flows = new WrappedFlows(
    services,
    new Mask(),
    (_, { kind }) => void reported.push(kind),
    () => {},
  );
  flows.start('login', 'box', undefined);
  flows.windowOpened(popup, 'https://id.example/authorize');
  popup.closed = true;
  flows.pollWindows();
  flows.pollWindows();
  flows.messageReceived(new MessageEvent('message', { data: '?code=1', origin: 'https://app.example', source: popup }));
  expect(reported).toEqual(['login-started', 'popup', 'popup', 'callback']);
});
