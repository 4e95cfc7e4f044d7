/** The panel in the DevTools of a browser with a dark theme. */
import { expect, test } from 'vitest';
import { startTestBed } from '../../support/test-bed.ts';

test('the panel has the theme of DevTools', async () => {
  const dark = await startTestBed({ browser: { scheme: 'dark' } });
  try {
    const panel = await dark.panel();
    expect(await panel.frame().evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    expect(await panel.frame().evaluate(() => getComputedStyle(document.body).colorScheme)).toContain('dark');
  } finally {
    await dark.close();
  }
});
