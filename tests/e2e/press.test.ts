/** The driver’s clicks on controls that change under the pointer, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { click, openMenu, press } from '../../lib/browser-driver/pages/press.ts';
import { sharedChromium } from '../support/shared-chromium.ts';

let page: Page;
beforeAll(async () => {
  page = await (await sharedChromium()).browser.newPage();
});
afterAll(() => page?.close());

test('a control that is replaced while it’s pressed gets no click, and is pressed again', async () => {
  await page.setContent('<main><button>Try again</button></main>');
  await page.evaluate(() => {
    const counts = Object.assign(globalThis, { presses: 0, clicks: 0 });
    document.addEventListener('pointerdown', () => {
      if (counts.presses++ > 0) return;
      const button = document.querySelector('button')!;
      button.remove();
      // Later than the release.
      document.addEventListener('pointerup', () => document.querySelector('main')!.append(button.cloneNode(true)));
    });
    document.addEventListener('click', () => counts.clicks++);
  });
  await press(page, 'Try again');
  expect(await page.evaluate(() => [Reflect.get(globalThis, 'presses'), Reflect.get(globalThis, 'clicks')])).toEqual([
    2, 1,
  ]);
});

test('a control that vanishes while it’s pressed needs no click, if what the click is for has happened', async () => {
  await page.setContent('<main><p>Failed.</p><button>Try again</button></main>');
  await page.evaluate(() =>
    document.addEventListener('pointerdown', () => document.querySelector('main')!.replaceChildren(), { once: true }),
  );
  const isDone = async (): Promise<boolean> => (await page.$('p')) === null;
  await press(page, 'Try again', { isDone });
  expect(await page.$('button')).toBeNull();
});

test('a row that moves while it’s pressed is clicked again, and one that is replaced only once', async () => {
  await page.setContent('<main><div id="row">notify-admins</div></main>');
  await page.evaluate(() => {
    const counts = Object.assign(globalThis, { presses: 0, clicks: 0 });
    const main = document.querySelector('main')!;
    document.addEventListener('pointerdown', () => {
      if (counts.presses++ === 0) main.style.paddingTop = '200px';
    });
    document.addEventListener('pointermove', () => {
      if (counts.presses === 1) main.replaceChildren(main.firstElementChild!.cloneNode(true));
    });
    document.addEventListener('click', ({ target }) => {
      if ((target as Element).id === 'row') counts.clicks++;
    });
  });
  await click(page, '#row');
  expect(await page.evaluate(() => [Reflect.get(globalThis, 'presses'), Reflect.get(globalThis, 'clicks')])).toEqual([
    2, 1,
  ]);
});

test('a menu that closes right after it was opened is opened again', async () => {
  await page.setContent('<button popovertarget="menu">Ignored</button><div id="menu" popover><p>readAt</p></div>');
  await page.evaluate(() => {
    const menu = document.querySelector<HTMLElement>('#menu')!;
    menu.querySelector('p')!.hidden = true;
    menu.addEventListener(
      'toggle',
      () => {
        menu.hidePopover();
        menu.querySelector('p')!.className = 'shown';
      },
      { once: true },
    );
  });
  await openMenu(page.mainFrame(), 'button', '#menu', '.shown');
  expect(await page.$('#menu:popover-open .shown')).not.toBeNull();
});

test('a checkbox whose place another one takes under the pointer is clicked where it is now', async () => {
  await page.setContent('<main><input type="checkbox" id="own"></main>');
  await page.evaluate(() => {
    const own = document.querySelector('#own')!;
    const push = () => own.before(own.cloneNode(), document.createElement('br'));
    document.addEventListener('pointermove', push, { once: true });
  });
  await click(page, '#own:last-of-type');
  expect(await page.$$eval('input', (boxes) => boxes.map(({ checked }) => checked))).toEqual([true, true]);
});
