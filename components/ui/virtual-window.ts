/** Owns which rows of a long list stand in the document. */

/** Rows beyond the visible ones, so that a quick scroll finds them there. */
const MARGIN = 4;

/** Indexes from `from` up to, without, `to`; every row is `rowHeight` pixels high. */
export function visibleRows(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
): { from: number; to: number } {
  const from = Math.max(0, Math.min(count, Math.floor(scrollTop / rowHeight)) - MARGIN);
  return { from, to: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + MARGIN) };
}

/** Where to scroll so that row `index` is seen; the same place when it is already. */
export function scrollFor(index: number, scrollTop: number, height: number, rowHeight: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return top + rowHeight > scrollTop + height ? top + rowHeight - height : scrollTop;
}
