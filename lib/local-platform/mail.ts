/** Owns sending mail: by SMTP when `SMTP_URL` is set; otherwise the outbox alone keeps it. */
import type { Transporter } from 'nodemailer';

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

/** @param url such as `smtp://user:password@host:587` */
export function createMailer(url: string | undefined, from = FROM): Mailer {
  if (!url) return { send: async () => ({ delivery: 'kept' }), close: () => {} };
  const limits = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
  let transport: Transporter | undefined;
  return {
    async send(email) {
      try {
        const { createTransport } = await import('nodemailer');
        transport ??= createTransport({ url, ...limits }, { from });
        // The message is an action's: it must not read this machine's files or fetch addresses to attach them.
        await transport.sendMail({ ...email, disableFileAccess: true, disableUrlAccess: true });
        return { delivery: 'sent' };
      } catch (error) {
        return { delivery: 'failed', error: `${(error as Error).message.replace(/\.$/, '')}.` };
      }
    },
    close: () => transport?.close(),
  };
}
