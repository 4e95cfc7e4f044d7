/** Splits an error's trace into lines to open in Sources, and groups of the engine's own frames. */
import { type PagePosition, positionOf } from '../../../inspector/page-pause.ts';

export interface TraceLine {
  text: string;
  /** Null if the line has no URL. */
  position: PagePosition | null;
}
export type TraceEntry = { kind: 'line'; line: TraceLine } | { kind: 'engine'; lines: TraceLine[] };

const MAX_LINES = 200;
const MAX_LENGTH = 1_000;
/** The script of a page's runtime, as the platform serves it. */
const RUNTIME = /\/platform-core[^/]*$/;

/**
 * Frames of the page's runtime are the engine's, and so is everything that called the outermost registered function.
 * @param functionUrls the URLs of the scripts that register functions
 */
export function traceEntries(lines: readonly string[], functionUrls: ReadonlySet<string>): TraceEntry[] {
  const all = lines.slice(0, MAX_LINES).map((line): TraceLine => {
    const text = line.slice(0, MAX_LENGTH);
    return { text, position: positionOf(text) };
  });
  const outermost = all.findLastIndex(({ position }) => position !== null && functionUrls.has(position.url));
  const entries: TraceEntry[] = [];
  for (const [index, line] of all.entries()) {
    const isEngine = (outermost >= 0 && index > outermost) || RUNTIME.test(line.position?.url ?? '');
    const last = entries.at(-1);
    if (!isEngine) entries.push({ kind: 'line', line });
    else if (last?.kind === 'engine') last.lines.push(line);
    else entries.push({ kind: 'engine', lines: [line] });
  }
  return entries;
}
