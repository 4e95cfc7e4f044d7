/** Copies text to the clipboard. DevTools panels lack the clipboard API, but `execCommand` works during a click. */
export async function copyText(text: string): Promise<boolean> {
  const area = document.createElement('textarea');
  const focused = document.activeElement;
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (isCopied) return true;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
