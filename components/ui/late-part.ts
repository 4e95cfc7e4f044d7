/** Owns how a part that is loaded late waits for its styles: it is not seen without them. In the place of Vite's own loader, which can do more and weighs four times as much. */

const styles = new Map<string, Promise<unknown>>();

/** @param files the styles of the part, as the build names them: from the extension's root */
export async function loadPart<T>(load: () => Promise<T>, files: readonly string[] = []): Promise<T> {
  await Promise.all(
    files.map((file) => {
      const added = styles.get(file) ?? addStyle(file);
      styles.set(file, added);
      return added;
    }),
  );
  return load();
}

function addStyle(file: string): Promise<unknown> {
  return new Promise<unknown>((resolve, reject) => {
    // The page itself brings some of them.
    if (document.querySelector(`link[href="/${file}"]`)) return resolve(null);
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = `/${file}`;
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      // Whoever wants the part again looks again.
      link.remove();
      styles.delete(file);
      reject(new Error(`${file} could not be loaded.`));
    });
    document.head.append(link);
  });
}
