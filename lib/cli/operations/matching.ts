/** Filters lists by name or ID. */

/** Those whose name contains a text, in upper or lower case, or whose ID it is. */
export function matching<T extends { id: number; name: string }>(all: readonly T[], search: string | undefined): T[] {
  const wanted = search?.toLowerCase() ?? '';
  return all.filter(({ id, name }) => name.toLowerCase().includes(wanted) || String(id) === wanted);
}
