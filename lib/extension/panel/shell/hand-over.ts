/** Owns what the panel hands over to the person: text for the clipboard, a file. */

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
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: name.endsWith('.csv') ? 'text/csv' : 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
