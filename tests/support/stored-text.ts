/** Reads everything that a page of the extension shows and stores, to search it for secrets. */
import type { Frame, Page } from 'puppeteer-core';

/** The document, its fields, and all of its storage and databases, as one text. */
export function storedText(page: Page | Frame): Promise<string> {
  return page.evaluate(async () => {
    const dump: unknown[] = [document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }];
    for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea, select')) dump.push(field.value);
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name ?? '');
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error as Error));
      });
      for (const store of database.objectStoreNames) {
        const all = await new Promise<unknown[]>((resolve) =>
          database
            .transaction(store)
            .objectStore(store)
            .getAll()
            .addEventListener('success', (event) => resolve((event.target as IDBRequest<unknown[]>).result)),
        );
        dump.push(all);
        // Bytes as text: a token that was stored as it is would be found.
        for (const record of all)
          for (const value of Object.values(Object(record) as object))
            if (value instanceof ArrayBuffer || ArrayBuffer.isView(value))
              dump.push(new TextDecoder('latin1').decode(value as ArrayBuffer));
      }
      database.close();
    }
    const { storage } = (globalThis as unknown as { chrome: { storage: Record<string, { get?(): Promise<unknown> }> } })
      .chrome;
    for (const area of Object.values(storage)) if (area.get) dump.push(await area.get());
    return JSON.stringify(dump);
  });
}
