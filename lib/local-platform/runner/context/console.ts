/** A run’s console. Keeps the first lines, up to a limit. */
// Not of its index: the engine reads timers as it loads, and they aren’t there yet.
import { toText } from '../../../pipeline/fill.ts';
import { LINE, type Host } from './host.ts';
import type { Watched } from './watch.ts';

const MAX_LINES = 200;
const MAX_LINE_LENGTH = 2_000;

export function installConsole(host: Host, watched: Watched): (level: string, ...values: unknown[]) => void {
  let lines = 0;
  function write(level: string, ...values: unknown[]): void {
    if (lines > MAX_LINES) return;
    lines += 1;
    watched.current?.line(level, lines > MAX_LINES ? ['The rest was omitted.'] : values);
    const text = lines > MAX_LINES ? 'The rest was omitted.' : values.map(show).join(' ');
    host.send(LINE.console + JSON.stringify(`${level}: ${text}`.slice(0, MAX_LINE_LENGTH)));
  }
  const console = Object.fromEntries(
    ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'].map((level) => [
      level,
      (...values: unknown[]) => write(level, ...values),
    ]),
  );
  const nothing = (): void => {};
  for (const name of ['group', 'groupEnd', 'groupCollapsed', 'time', 'timeEnd', 'timeLog', 'count', 'assert', 'clear'])
    console[name] = nothing;
  Object.assign(globalThis, { console });
  return write;
}

/** Never throws. */
function show(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? toText(value) : String(value);
  } catch {
    return '[value that can’t be shown]';
  }
}
