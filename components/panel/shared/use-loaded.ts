/** Loads part of the panel when it's first needed. */
import { useEffect, useState } from 'preact/hooks';

/** The loaded module; null while loading, and `failed` if it can't be loaded, for example after an extension update. */
export function useLoaded<T>(load: () => Promise<T>, isNeeded = true): T | 'failed' | null {
  const [loaded, setLoaded] = useState<{ part: T | 'failed' } | null>(null);
  useEffect(() => {
    if (isNeeded && !loaded)
      load().then(
        (part) => setLoaded({ part }),
        () => setLoaded({ part: 'failed' }),
      );
  }, [isNeeded]);
  return loaded && loaded.part;
}

/** The error for a module that can't be loaded. */
export const NOT_LOADED = {
  code: 'PART_NOT_LOADED',
  message: 'Couldn’t load this part of the panel: the extension was updated or removed.',
  hint: 'Reload DevTools: close it, then open it again.',
};
