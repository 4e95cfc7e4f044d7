/** Owns a clock for times that are told from now. */
import { useEffect, useState } from 'preact/hooks';

/** The time in epoch milliseconds, anew every `every` milliseconds. */
export function useNow(every = 5_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
