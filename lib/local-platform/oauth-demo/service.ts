/** Defines what the demo services share: clients, user, scopes, lifetimes, and the interface of their engines. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Forget } from './fault-menu.ts';

export const USER = { sub: 'demo', name: 'Dana Demo', email: 'dana@demo.example' };
export const SCOPES = ['profile', 'items.read', 'items.write'] as const;

export interface Client {
  id: string;
  name: string;
  /** Null for a public client, which must use PKCE. */
  secret: string | null;
}

export const CLIENTS: readonly Client[] = [
  { id: 'demo-app', name: 'The demo app', secret: 'demo-secret' },
  { id: 'demo-public', name: 'The demo app (public client)', secret: null },
];

/** How many seconds an access token is valid, unless the login has `?lifetime=`. */
export const LIFETIME = 600;
const MAX_LIFETIME = 86_400;
const MAX_FORM_BYTES = 64 * 1024;

/** Parses a number of seconds. Null unless it is a whole number from 1 to a day. */
export function readLifetime(text: unknown): number | null {
  const seconds = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return seconds >= 1 && seconds <= MAX_LIFETIME ? seconds : null;
}

/** The data of an access token. */
export interface Bearer {
  sub: string;
  clientId: string;
  scopes: readonly string[];
}

/** A service’s OAuth2 part: `/authorize`, `/token`, `/revoke`, `/logout`, login page, and discovery. */
export interface Engine {
  handle(req: IncomingMessage, res: ServerResponse): void;
  /** Null for an unknown, expired, or revoked token. */
  check(token: string): Promise<Bearer | null>;
  forget(what: Forget): void;
}

export interface EngineOptions {
  /** The service’s base URL, without a trailing slash. */
  issuer: string;
  /** The service’s name on its pages. */
  title: string;
  /** Origins of the platform’s apps. Their pages can be redirect URLs. */
  appOrigins: ReadonlySet<string>;
  /** A registered redirect URL. */
  callback: string;
}

export function isAppUrl(text: string, appOrigins: ReadonlySet<string>): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && appOrigins.has(url.origin) && !url.hash && !url.username && !url.password;
}

/** @throws Error if the form is larger than any of our forms can be */
export async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_FORM_BYTES) throw new Error('The form is too large');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString());
}
