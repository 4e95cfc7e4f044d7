/** The options page opens once after the installation, and at no other time. */
import { expect, it } from 'vitest';
import { openOptionsOnInstall } from '../../../../lib/extension/messaging/options-page.ts';

function opened(reason: string): number {
  let count = 0;
  openOptionsOnInstall({
    onInstalled: { addListener: (listener) => listener({ reason }) },
    openOptionsPage: () => {
      count++;
      return Promise.reject(new Error('There is no window.'));
    },
  });
  return count;
}

it('opens after the installation, also where no window can show it', () => expect(opened('install')).toBe(1));

it.each(['update', 'chrome_update', 'browser_update', 'shared_module_update'])('doesn’t open after %s', (reason) =>
  expect(opened(reason)).toBe(0),
);
