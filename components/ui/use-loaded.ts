/** Owns parts of a page that are loaded when they are first needed: it opens sooner without them. */
import { useEffect, useState } from 'preact/hooks';

/** What `load` gives once it is needed; null before that, `failed` when it cannot be had, as after an update of the extension. */
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
