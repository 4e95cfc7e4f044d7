/** Owns what both demo services are: their clients, user, scopes and lifetimes, and what an engine does for the rest. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Forget } from './fault-menu.ts';

export const USER = { sub: 'demo', name: 'Dana Demo', email: 'dana@demo.example' };
export const SCOPES = ['profile', 'items.read', 'items.write'] as const;

export interface Client {
  id: string;
  name: string;
  /** null: a public client, which must use PKCE. */
  secret: string | null;
}
export const CLIENTS: readonly Client[] = [
  { id: 'demo-app', name: 'The demo app', secret: 'demo-secret' },
  { id: 'demo-public', name: 'The demo app (public client)', secret: null },
];

/** Of an access token, in seconds, unless `?lifetime=` asked for another. */
export const LIFETIME = 600;
const LONGEST_LIFETIME = 86_400;

/** Seconds, or null when it is no whole number from 1 to a day's. */
export function readLifetime(text: unknown): number | null {
  const seconds = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= LONGEST_LIFETIME ? seconds : null;
}

/** What an access token is good for. */
export interface Bearer {
  sub: string;
  clientId: string;
  scopes: readonly string[];
}

/** The OAuth2 part of a service: `/authorize`, `/token`, `/revoke`, `/logout`, its login page and discovery. */
export interface Engine {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** null: unknown, expired or revoked. */
  check(token: string): Promise<Bearer | null>;
  forget(what: Forget): void;
}

export interface EngineOptions {
  /** The service's address, without a slash at the end. */
  issuer: string;
  /** What its pages call it. */
  title: string;
  /** Origins where apps of the platform run: their pages may be redirect URLs. */
  appOrigins: ReadonlySet<string>;
  /** A redirect URL to register by name. */
  callback: string;
}

export function isAppUrl(address: string, appOrigins: ReadonlySet<string>): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url !== null && appOrigins.has(url.origin) && !url.hash && !url.username && !url.password;
}

const MOST_FORM_BYTES = 64 * 1024;

/** A form that a page of the service sent. @throws when it is larger than one of ours can be */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_FORM_BYTES) throw new Error('The form is too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
