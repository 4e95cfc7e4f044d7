/** Sent messages: stored in the outbox, and mailed when a mail server is configured. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, it, onTestFinished } from 'vitest';
import { startForTest } from './support/platform.ts';

interface Mailbox {
  url: string;
  mails: { to: string[]; text: string }[];
}

async function mailbox(accepts: boolean): Promise<Mailbox> {
  const mails: Mailbox['mails'] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: (_address, _session, done) => done(accepts ? null : new Error('Mailbox full')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)));
  return { url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`, mails };
}

const email = { kind: 'email', to: 'a@example.com, b@example.com', subject: 'Grüße', html: '<p>Hello</p>' };

it('only stores mail in the outbox when there is no mail server', async () => {
  const platform = await startForTest();
  const { status } = await platform.ask('/v1/apps/101/outbox', { body: email });
  expect(status).toBe(201);
  const { body } = await platform.ask<{ messages: unknown[] }>('/v1/apps/101/outbox');
  const { kind, ...message } = email;
  expect(body.messages).toEqual([
    { id: 1, appId: 101, kind, message, delivery: 'kept', error: null, createdAt: expect.stringMatching(/Z$/) },
  ]);
  expect((await platform.ask('/v1/apps/102/outbox')).body).toEqual({ messages: [] });
});

it('sends mail by SMTP when a server is configured, keeps a copy, and reads no file that a message names', async () => {
  const { url, mails } = await mailbox(true);
  const platform = await startForTest({ smtpUrl: url });
  await platform.ask('/v1/apps/101/outbox', { body: email });
  expect(mails).toHaveLength(1);
  expect(mails[0]!.to).toEqual(['a@example.com', 'b@example.com']);
  expect(mails[0]!.text).toContain('Content-Type: text/html');
  expect(mails[0]!.text).toContain('<p>Hello</p>');
  const { body } = await platform.ask<{ messages: { delivery: string }[] }>('/v1/apps/101/outbox');
  expect(body.messages.map(({ delivery }) => delivery)).toEqual(['sent']);

  await platform.ask('/v1/apps/101/outbox', {
    body: { ...email, attachments: [{ path: '/etc/passwd' }], html: '<p>x</p>' },
  });
  expect(mails).toHaveLength(2);
  expect(mails[1]!.text).not.toContain('root:');

  // A notification isn’t sent as mail.
  const notification = { kind: 'notification', title: 'T', message: 'M' };
  expect((await platform.ask('/v1/apps/101/outbox', { body: notification })).status).toBe(201);
  expect(mails).toHaveLength(2);
});

it('reports that the mail server refused, and keeps the message as failed', async () => {
  const { url } = await mailbox(false);
  const platform = await startForTest({ smtpUrl: url });
  const { status, body } = await platform.ask('/v1/apps/101/outbox', { body: email });
  expect({ status, error: body.error }).toEqual({ status: 502, error: 'EMAIL_NOT_SENT' });
  expect(body.message).toContain('Mailbox full');
  const saved = await platform.ask<{ messages: { delivery: string; error: string }[] }>('/v1/apps/101/outbox');
  expect(saved.body.messages).toMatchObject([{ delivery: 'failed', error: expect.stringContaining('Mailbox full') }]);
});
