/** Reads where the debugger has paused the page from a stack, as Chromium and Firefox format it. */
import { truncate } from '../../shared/format.ts';

export interface PagePosition {
  url: string;
  /** Starts at 1. */
  line: number;
}

export interface PagePause {
  /** The paused code's function; empty if unknown. */
  name: string;
  /** Null if the code has no URL. */
  position: PagePosition | null;
}

const FRAME = /^(?:\s*at (?:async )?(?:(.*?) \()?|(.*?)@)((?:https?|file):\/\/\S+?):(\d+):\d+\)?$/;

/** The innermost frame with a URL. */
export function pagePause(stack: string): PagePause {
  for (const line of stack.split('\n').slice(0, 20)) {
    const position = positionOf(line);
    if (!position) continue;
    const [, chromium, firefox] = FRAME.exec(line) ?? [];
    return { name: truncate(chromium ?? firefox ?? '', 100), position };
  }
  return { name: '', position: null };
}

/** Where a frame of a stack is; null if it has no URL. */
export function positionOf(frame: string): PagePosition | null {
  const [, , , url = '', number] = FRAME.exec(frame) ?? [];
  return URL.canParse(url) ? { url: url.slice(0, 2_000), line: Number(number) } : null;
}
