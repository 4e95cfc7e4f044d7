/** Runs an environment form’s tasks, after requesting access to the base URL, and gives up access with the form. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { OptionsPort } from '../../../lib/extension/options/port.ts';
import type { EnvironmentInput } from '../../../lib/extension/messaging/model/environment.ts';

export type Task = 'saving' | 'testing';
export type Work = (input: EnvironmentInput, isAllowed: boolean, isCurrent: () => boolean) => Promise<void>;
/** Gives up access to the base URLs with the form, after `work`, unless an environment needs it. */
export type HoldAccess = (baseUrls: readonly string[], work: Promise<unknown>) => void;

/** Runs one task at a time. Ignores results of canceled tasks. */
export function useTask(port: OptionsPort): {
  running: Task | null;
  start: (kind: Task, input: EnvironmentInput, work: Work) => void;
  hold: HoldAccess;
  cancel: () => void;
} {
  const [running, setRunning] = useState<Task | null>(null);
  /** Identifies the latest task. */
  const latest = useRef(0);
  const requested = useRef(new Set<string>());
  /** All work that might need access. */
  const works = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    const release = (): void => requested.current.forEach((baseUrl) => void port.releaseAccess(baseUrl));
    window.addEventListener('pagehide', release);
    return () => {
      window.removeEventListener('pagehide', release);
      latest.current++;
      // A pending save might still need its access, so wait for it to end.
      void works.current.finally(release);
    };
  }, []);

  const hold: HoldAccess = (baseUrls, work) => {
    baseUrls.forEach((baseUrl) => requested.current.add(baseUrl));
    works.current = Promise.all([works.current, work]);
  };
  // Browsers allow permission requests only synchronously, inside a click handler.
  const start = (kind: Task, input: EnvironmentInput, work: Work): void => {
    const permission = port.requestAccess(input.baseUrl);
    const task = ++latest.current;
    const isCurrent = (): boolean => latest.current === task;
    setRunning(kind);
    hold(
      [input.baseUrl],
      permission
        .then((isAllowed) => (isCurrent() ? work(input, isAllowed, isCurrent) : undefined))
        .finally(() => isCurrent() && setRunning(null)),
    );
  };
  const cancel = (): void => {
    latest.current++;
    setRunning(null);
  };
  return { running, start, hold, cancel };
}
