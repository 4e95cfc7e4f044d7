/** Adds the panel to DevTools. */
import browser from 'webextension-polyfill';

void browser.devtools.panels.create('Platform', '/icon/32.png', '/panel.html');
