/** The error for a part of the panel that can't be loaded. */
export { useLoaded } from '../../ui/use-loaded.ts';

export const NOT_LOADED = {
  code: 'PART_NOT_LOADED',
  message: 'Couldn’t load this part of the panel: the extension was updated or removed.',
  hint: 'Reload DevTools: close it, then open it again.',
};
