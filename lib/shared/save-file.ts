/** Saves text as a file with a link that has a `download` attribute. */

export function saveFile(name: string, content: string | Blob): void {
  const type = name.endsWith('.csv') ? 'text/csv' : 'application/json';
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Firefox reads the URL only after `click` has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
