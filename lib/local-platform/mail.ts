/** Sends email by SMTP if `SMTP_URL` is set. Otherwise, email only goes to the outbox. */
import type { Transporter } from 'nodemailer';
import { StartProblem } from './problem.ts';

export interface Email {
  to: string;
  subject: string;
  html: string;
}
export type Sending = { delivery: 'kept' | 'sent' } | { delivery: 'failed'; error: string };
export interface Mailer {
  send(email: Email): Promise<Sending>;
  close(): void;
}

const FROM = 'Local platform <platform@localhost>';

/** @throws StartProblem unless `url` is undefined, empty, or a URL such as `smtp://user:password@host:587` */
export function checkMailUrl(url: string | undefined): void {
  if (!url || isMailServer(url)) return;
  throw new StartProblem(
    'SMTP_URL isn’t the URL of a mail server.',
    'Use a URL such as smtp://localhost:2525 or smtps://user:password@host.',
  );
}

/** @throws StartProblem if `checkMailUrl` does */
export function createMailer(url: string | undefined, from = FROM): Mailer {
  checkMailUrl(url);
  if (!url) return { send: async () => ({ delivery: 'kept' }), close: () => {} };
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  let transport: Transporter | undefined;
  return {
    async send(email) {
      try {
        const { createTransport } = await import('nodemailer');
        transport ??= createTransport({ url, ...limits }, { from });
        // The content comes from an action: attachments must not read this machine’s files or fetch URLs.
        await transport.sendMail({ ...email, disableFileAccess: true, disableUrlAccess: true });
        return { delivery: 'sent' };
      } catch (error) {
        return { delivery: 'failed', error: `${(error as Error).message.replace(/\.$/, '')}.` };
      }
    },
    close: () => transport?.close(),
  };
}

function isMailServer(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}
