/** Owns the registration of the DevTools panel. */
import browser from 'webextension-polyfill';

void browser.devtools.panels.create('Platform', '/icon/32.png', '/panel.html');
