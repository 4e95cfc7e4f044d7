/**
 * Flows that every browser must pass: both grant types, over two origins, and everything a session is used for. The
 * exhaustive tests have all of them.
 */
import { expect, it } from 'vitest';
import { isExhaustive } from '../../support/exhaustive.ts';
import type { OAuth2TestBed } from './oauth2-app.ts';

export function mainFlows(bed: () => OAuth2TestBed): void {
  it('logs in with a code over the platform’s page, calls the API in every way, refreshes, and logs out', async () => {
    const tab = await bed().open();
    const { value: session } = await tab.login('demo-code');
    expect(session).toMatchObject({
      service: 'demo-code',
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'profile items.read items.write',
      refresh_token: expect.any(String) as string,
    });
    expect(await tab.session('demo-code')).toEqual(session);

    expect(await tab.api('demo-code', 'profile')).toMatchObject({ value: { name: 'Dana Demo' } });
    expect(await tab.api('demo-code', { path: 'items', data: { limit: 2 } })).toMatchObject({
      value: { items: [{}, {}] },
    });
    const { value: made } = await tab.api('demo-code', {
      path: 'items',
      method: 'post',
      data: { name: 'Ladder', stock: 1 },
    });
    const { id } = (made as { item: { id: number } }).item;
    expect(await tab.api('demo-code', { path: `items/${id}`, method: 'PUT', data: { stock: 7 } })).toMatchObject({
      value: { item: { id, stock: 7 } },
    });
    expect((await tab.api('demo-code', { path: `items/${id}`, method: 'delete' })).error).toBeUndefined();
    expect(await tab.api('demo-code', 'error/403')).toMatchObject({ error: { code: 'API_REFUSED', status: 403 } });
    expect(await tab.api('demo-code', 'text')).toEqual({ value: expect.any(String) as string });

    // A form, its FormData, and its file input, each with a file in it.
    const uploads = await tab.call(
      'demo-code',
      `const form = document.querySelector('form');
       const files = new DataTransfer();
       files.items.add(new File(['content'], 'notes.txt', { type: 'text/plain' }));
       form.elements.file.files = files.files;
       const post = (data) => service.api({ path: 'items', method: 'post', data });
       return Promise.all([post(form), post(new FormData(form)), post(form.elements.file)]);`,
    );
    const arrived = JSON.stringify(uploads.value);
    expect(arrived.match(/notes\.txt/g)).toHaveLength(3);
    expect(arrived.match(/hello/g)).toHaveLength(2);

    const refreshed = await tab.call('demo-code', 'return service.refresh()');
    await tab.remember('demo-code');
    expect(refreshed.value).not.toMatchObject({ access_token: (session as { access_token: string }).access_token });
    expect(await tab.api('demo-code', 'profile')).toMatchObject({ value: { name: 'Dana Demo' } });

    // A session survives a reload.
    await tab.page.reload();
    await tab.configure('demo-code');
    expect(await tab.session('demo-code')).toEqual(refreshed.value);

    expect(await tab.call('demo-code', 'return service.logout()')).toEqual({ value: { revoked: true } });
    expect(await tab.session('demo-code')).toBeNull();
    expect(await tab.api('demo-code', 'profile')).toMatchObject({ error: { code: 'NOT_LOGGED_IN' } });
    const { access_token } = refreshed.value as { access_token: string };
    expect(
      (
        await fetch(`${bed().platform.oauthDemo!.code}/api/profile`, {
          headers: { authorization: `Bearer ${access_token}` },
        })
      ).status,
    ).toBe(401);
    await tab.close();
  });

  // With the library in it, the page does what the platform’s page does above.
  const pages = isExhaustive() ? ['/callback', '/bare'] : ['/bare'];
  it('logs in implicitly over a page of the app itself, with the library in it or without', async () => {
    for (const path of pages) {
      const tab = await bed().open({ redirectUrl: bed().origin + path });
      expect(await tab.login('demo-implicit')).toMatchObject({
        value: { service: 'demo-implicit', scope: 'profile items.read items.write' },
      });
      expect(await tab.api('demo-implicit', 'profile')).toMatchObject({ value: { name: 'Dana Demo' } });
      expect(await tab.received()).toEqual(['demo-implicit auth.login']);
      await tab.close();
    }
  });

  it('sends no token when a service redirects to another host', async () => {
    const tab = await bed().open();
    await tab.login('demo-code');
    // Two origins of one server.
    const [own, other] = [bed().origin, bed().origin.replace('127.0.0.1', 'localhost')];
    expect(await tab.api('demo-code', `${own}/arrived`)).toMatchObject({
      value: { authorization: expect.stringMatching(/^Bearer /) as string },
    });
    expect(await tab.api('demo-code', `${own}/lead-away?to=${other}`)).toEqual({ value: { authorization: null } });
    expect(await tab.api('demo-code', `${other}/lead-away?to=${own}`)).toEqual({ value: { authorization: null } });
    await tab.close();
  });

  // The unit tests of logins have both, and the tests of the OAuth2 tab log in with windows that close.
  if (isExhaustive())
    it('reports a window that the user closes, and a login that the user refuses', async () => {
      const tab = await bed().open({ authUrl: `${bed().platform.oauthDemo!.implicit}/authorize?prompt=login` });
      const popup = await tab.press('demo-implicit');
      await popup.waitForSelector('#allow');
      await popup.close();
      expect(await tab.outcome()).toMatchObject({ error: { code: 'POPUP_CLOSED' } });
      expect(await tab.login('demo-implicit', '#refuse')).toMatchObject({
        error: { code: 'LOGIN_REFUSED', error: 'access_denied' },
      });
      expect(await tab.received()).toEqual(['demo-implicit auth.fail', 'demo-implicit auth.fail']);
      await tab.close();
    });
}
