/** Owns the one place from which the extension takes its browser API: promises in every browser. Entrypoints alone import it. */
export { default as browser } from 'webextension-polyfill';
