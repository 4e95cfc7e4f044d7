/** The browser's extension API, with promises in every browser. Only entrypoints import it. */
export { default as browser } from 'webextension-polyfill';
