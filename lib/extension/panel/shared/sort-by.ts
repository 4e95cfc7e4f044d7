/** Sorts table rows by a column. */

/** Returns a sorted copy. Null values come last in both directions, and ties keep their order. */
export function sortBy<T>(rows: readonly T[], valueOf: (row: T) => string | number | null, descending: boolean): T[] {
  const direction = descending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: valueOf(row) }))
    .sort((a, b) => {
      if (a.value === b.value) return 0;
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return a.value < b.value ? -direction : direction;
    })
    .map(({ row }) => row);
}
