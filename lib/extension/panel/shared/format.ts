/** Owns how times, sizes and texts are written. */

/** `84 ms`, `1.24 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return milliseconds <= 0 ? '0 ms' : '<1 ms';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `512 B`, `1.5 kB`, `6.0 MB`; a kilobyte is 1,024 bytes, as in the specification's 6 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

const COUNT = new Intl.NumberFormat('en');

/** `3 requests`, `1 request`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

/** Cuts a text for display, without splitting a surrogate pair. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

/** `14:03:27` of an epoch time, in the person's zone; with the day when it is another than today. */
export function formatTime(epoch: number, now = Date.now()): string {
  const date = new Date(epoch);
  const time = date.toLocaleTimeString(undefined, { hour12: false });
  return date.toDateString() === new Date(now).toDateString()
    ? time
    : `${date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })} ${time}`;
}

/** A package's last part, `send-email` of `com.platform.function.send-email`; anything else as it is. */
export function shortName(name: string): string {
  return /^[\w.-]+\.[\w-]+$/.test(name) ? name.slice(name.lastIndexOf('.') + 1) : cut(name, 120);
}
