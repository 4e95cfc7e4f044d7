/** Divides free slots between the apps that have waiting runs, so that none of them waits for another one’s backlog. */

/**
 * Gives each slot to the app with the fewest running runs.
 * @param apps those with waiting runs. Of two with as many running runs, the first in this list gets the slot
 * @param running how many runs of each app are running
 * @returns how many slots each app gets, without those that get none
 */
export function fairShares(
  apps: readonly number[],
  running: ReadonlyMap<number, number>,
  slots: number,
): Map<number, number> {
  const shares = new Map<number, number>();
  if (apps.length === 0) return shares;
  const load = (app: number): number => (running.get(app) ?? 0) + (shares.get(app) ?? 0);
  for (let slot = 0; slot < slots; slot += 1) {
    const next = apps.reduce((least, app) => (load(app) < load(least) ? app : least));
    shares.set(next, (shares.get(next) ?? 0) + 1);
  }
  return shares;
}
