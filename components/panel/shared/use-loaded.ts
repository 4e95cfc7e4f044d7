/** Owns what the panel says in place of a part that cannot be loaded. */
export { useLoaded } from '../../ui/use-loaded.ts';

export const NOT_LOADED = {
  code: 'PART_NOT_LOADED',
  message: 'This part of the panel could not be loaded: the extension was updated or removed meanwhile.',
  hint: 'Close and reopen DevTools.',
};
