/** Shows panels of other tabs, which have the same history, that this panel has a run in progress. */

const nameOf = (id: string): string => `run ${id}`;

/** Holds a lock until the returned function is called. Two panels can have the same page. */
export function lockRun(id: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(nameOf(id), { mode: 'shared' }, () => promise).catch(() => {});
  return resolve;
}

export async function isRunLocked(id: string): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === nameOf(id));
}
