/** Counts down to a time. */
import { useEffect, useState } from 'preact/hooks';

/** Whole seconds until `at` (epoch milliseconds), updated each second; 0 after it, and for null. */
export function useSecondsUntil(at: number | null): number {
  const left = (): number => Math.max(0, Math.ceil(((at ?? 0) - Date.now()) / 1000));
  const [, draw] = useState(0);
  useEffect(() => {
    if (left() === 0) return undefined;
    const timer = setInterval(() => {
      draw((count) => count + 1);
      if (left() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [at]);
  return left();
}
