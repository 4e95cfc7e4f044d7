/** Reads virtual lists, which have only their visible rows in the document. */
import type { Frame } from 'puppeteer-core';

export interface VirtualRow {
  /** Of its `data-` attributes. */
  data: Record<string, string | undefined>;
  text: string;
}

/**
 * Every row, in order. Scrolls from top to bottom.
 * @param list selector of what contains the list
 */
export const rowsOf = (frame: Frame, list: string): Promise<VirtualRow[]> =>
  frame.evaluate(async (list) => {
    const scroller = document.querySelector<HTMLElement>(`${list} .vtree`);
    const space = scroller?.querySelector<HTMLElement>('.vtree-space');
    if (!scroller?.clientHeight || !space) return [];
    const seen = new Map<number, VirtualRow>();
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const rows = () => [...space.querySelectorAll<HTMLElement>('.vtree-row')];
    // After the list was scrolled, its rows are those of before for a while.
    const isFilled = (): boolean => {
      const [first] = rows();
      if (!first) return space.offsetHeight === 0;
      const height = first.offsetHeight;
      const rendered = new Set(rows().map(({ dataset }) => Number(dataset.index)));
      const visible = Math.max(scroller.clientHeight - space.offsetTop, height);
      const last = Math.min(scroller.scrollTop + visible, space.offsetHeight) / height - 1;
      return rendered.has(Math.floor(scroller.scrollTop / height)) && rendered.has(Math.floor(last));
    };
    scroller.scrollTop = 0;
    for (;;) {
      do await painted();
      while (!isFilled());
      for (const row of rows()) {
        const text = row.innerText.replace(/\s+/g, ' ').trim();
        seen.set(Number(row.dataset.index), { data: { ...row.dataset }, text });
      }
      const before = scroller.scrollTop;
      scroller.scrollTop += Math.max(scroller.clientHeight - 40, 20);
      if (scroller.scrollTop === before) return [...seen].sort(([a], [b]) => a - b).map(([, row]) => row);
    }
  }, list);
