/** Owns what the panel does in ways that differ between browsers: opening a script, copying, saving a file. */

/** The part of Chromium's `devtools.panels` that Firefox lacks. */
interface ChromiumPanels {
  openResource?(url: string, line: number, column: number, done: (answer?: { isError?: boolean }) => void): void;
}

/** Opens a script in the Sources panel at a 0-based line; undefined where the browser can't. */
export function openResource(): ((url: string, line: number) => Promise<boolean>) | undefined {
  const panels = (globalThis as { chrome?: { devtools?: { panels?: ChromiumPanels } } }).chrome?.devtools?.panels;
  if (!panels?.openResource) return undefined;
  return (url, line) => new Promise((resolve) => panels.openResource?.(url, line, 0, (answer) => resolve(!answer?.isError)));
}

/** DevTools gives its panels no clipboard API; the older command works there on a click. */
export async function copyText(text: string): Promise<boolean> {
  const area = document.createElement('textarea');
  const before = document.activeElement;
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isDone = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (isDone) return true;
  return navigator.clipboard.writeText(text).then(() => true, () => false);
}

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
