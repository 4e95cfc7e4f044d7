/** Stops the extension’s background worker, the way the browser stops an idle worker. */
import type { ExtensionBrowser } from './chromium.ts';

interface Version {
  scriptURL: string;
  runningStatus: string;
}

/** Resolves once the worker has stopped, even if a message has restarted it since. */
export async function stopWorker({ browser, extensionId }: ExtensionBrowser): Promise<void> {
  const [page] = await browser.pages();
  const session = await page?.createCDPSession();
  if (!session) throw new Error('Couldn’t stop the worker: the browser has no open page.');
  try {
    const stopped = new Promise<void>((resolve) => {
      session.on('ServiceWorker.workerVersionUpdated', ({ versions }: { versions: Version[] }) => {
        if (
          versions.some(
            (version) =>
              version.scriptURL.startsWith(`chrome-extension://${extensionId}/`) && version.runningStatus === 'stopped',
          )
        )
          resolve();
      });
    });
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await stopped;
  } finally {
    await session.detach();
  }
}
