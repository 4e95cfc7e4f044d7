/** How services fail and what the library makes of it: tests for a test bed. */
import { expect } from 'vitest';
import type { AppTab, OAuth2TestBed, ServiceName } from './oauth2-app.ts';

type Case = readonly [service: ServiceName, fault: string, code: string];

/** Faults of the redirect. */
export const REDIRECTS: readonly Case[] = [
  ['demo-code', 'wrong-state', 'STATE_MISMATCH'],
  ['demo-implicit', 'two-codes', 'CALLBACK_INVALID'],
  ['demo-implicit', 'markup-error', 'LOGIN_REFUSED'],
  ['demo-implicit', 'wrong-state', 'STATE_MISMATCH'],
  ['demo-implicit', 'no-state', 'STATE_MISMATCH'],
  ['demo-code', 'two-codes', 'CALLBACK_INVALID'],
  ['demo-code', 'access-denied', 'LOGIN_REFUSED'],
  ['demo-code', 'long-error', 'LOGIN_REFUSED'],
];
/** Faults of the token endpoint. */
export const TOKEN_REFUSALS: readonly Case[] = [
  ['demo-code', 'client-refused', 'TOKEN_REFUSED'],
  ['demo-code', 'no-token', 'TOKEN_INVALID'],
  ['demo-code', 'no-cors', 'CORS_REFUSED'],
  ['demo-code', 'code-used', 'TOKEN_REFUSED'],
  ['demo-code', 'error-in-200', 'TOKEN_REFUSED'],
  ['demo-code', 'long-token-error', 'TOKEN_REFUSED'],
  ['demo-code', 'malformed', 'TOKEN_INVALID'],
  ['demo-code', 'html-error', 'TOKEN_INVALID'],
];
/** Those that the browser reports, and not the response. */
export const TOKEN_REFUSALS_OF_BROWSERS = TOKEN_REFUSALS.filter(([, fault]) => fault === 'no-cors');
/** Responses of the token endpoint in other formats, and when their sessions expire. */
export const TOKEN_FORMATS: readonly (readonly [fault: string, expiresIn: number | undefined])[] = [
  ['form-encoded', 600],
  ['expires-in-digits', 600],
  ['expires-in-negative', -60],
  ['expires-in-text', undefined],
];

/** Logs in with each fault. */
export async function checkRefusals(
  bed: OAuth2TestBed,
  tab: AppTab,
  at: 'redirect' | 'token',
  cases: readonly Case[],
): Promise<void> {
  for (const [service, fault, code] of cases) {
    await bed.fault(service, fault, { at });
    const { error } = await tab.login(service);
    expect(error?.code, `${fault} ${service}`).toBe(code);
    expect(error!.message.length).toBeLessThan(700);
  }
}

export async function checkFormats(bed: OAuth2TestBed, tab: AppTab, formats: typeof TOKEN_FORMATS): Promise<void> {
  for (const [fault, expiresIn] of formats) {
    await bed.fault('demo-code', fault, { at: 'token' });
    const { value } = await tab.login('demo-code');
    expect((value as { expires_in?: number }).expires_in, fault).toBe(expiresIn);
  }
}

/** Scripts that break a page’s storage. */
export const BROKEN_STORAGES = {
  full: "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }",
  blocked:
    "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('blocked', 'SecurityError'); } })",
} as const;

/** A login in a page with this storage. */
export async function checkBrokenStorage(bed: OAuth2TestBed, storage: keyof typeof BROKEN_STORAGES): Promise<void> {
  const tab = await bed.open();
  await tab.page.evaluate(BROKEN_STORAGES[storage]);
  await tab.login('demo-code');
  expect(await tab.api('demo-code', 'profile')).toMatchObject({ value: { name: 'Dana Demo' } });
  expect((await tab.flow()).find(({ kind }) => kind === 'session')).toMatchObject({ persistent: false });
  await tab.call('demo-code', 'return service.logout()');
  expect(await tab.session('demo-code')).toBeNull();
  await tab.close();
}

/** Ends the faults that a failed test left. */
export async function endFaults(bed: OAuth2TestBed): Promise<void> {
  for (const service of ['demo-code', 'demo-implicit'] as const) await bed.fault(service, null);
}
