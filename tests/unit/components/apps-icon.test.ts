/** Tests that untrusted app icons are loaded and opened only where that is safe. */
import { describe, expect, it } from 'vitest';
import { iconUse } from '../../../components/panel/apps/icon.ts';
import { hostileApps } from '../../support/data/hostile-apps.ts';

const BASE = 'https://platform.example/api';

describe('an app icon', () => {
  it.each([
    ['https://platform.example/icons/1.png', 'https://platform.example/icons/1.png'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['DATA:IMAGE/SVG+XML,%3Csvg/%3E', 'DATA:IMAGE/SVG+XML,%3Csvg/%3E'],
  ])('is loaded: %s', (icon, image) => expect(iconUse(icon, BASE).image).toBe(image));

  it.each([
    'https://other.example/1.png',
    'https://platform.example.evil.example/1.png',
    'http://platform.example/1.png',
    'https://platform.example:8443/1.png',
    `data:image/png,${'A'.repeat(70_000)}`,
    'data:text/html,x',
    'data:image',
    '//platform.example/1.png',
    'icons/1.png',
    '',
  ])('is replaced by a letter: %s', (icon) => expect(iconUse(icon, BASE).image).toBeNull());

  it.each(['https://other.example/1.png', 'http://other.example/1.png'])('can be opened: %s', (icon) =>
    expect(iconUse(icon, BASE)).toMatchObject({ link: icon, reason: '' }),
  );

  it.each([
    'javascript:alert(1)',
    ' \u0001JaVa\tScRiPt:alert(1)',
    'data:text/html,x',
    'data:image/png,x',
    'file:///etc/passwd',
    'chrome-extension://abc/options.html',
    'blob:https://platform.example/1',
    'vbscript:x',
    'about:blank',
    'https://[',
    'x',
    '',
  ])('doesn’t open %j, and gives a reason', (icon) => {
    const { link, reason } = iconUse(icon, BASE);
    expect(link).toBeNull();
    expect(reason).not.toBe('');
  });

  it('of a hostile app leads only to http, https, and small images', () => {
    for (const { icon } of hostileApps()) {
      const { image, link } = iconUse(typeof icon === 'string' ? icon : '', BASE);
      if (link !== null) expect(link).toMatch(/^https?:\/\//);
      if (image !== null) expect(image).toMatch(/^data:image\//);
    }
  });
});
