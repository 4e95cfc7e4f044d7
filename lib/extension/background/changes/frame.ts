/**
 * Sends one change from a credentialless frame in a new offscreen document. Such a frame has its own, empty connection
 * pool, and a request on a new connection isn’t sent twice by the browser.
 */
import { FRAME_PORT, type FromFrame, type Port, type ToFrame } from './frame-protocol.ts';

/** Waits for the worker’s request. The worker’s messages on this port reach no other page. */
export function serveChange(connect: (info: { name: string }) => Port): void {
  const port = connect({ name: FRAME_PORT });
  const controller = new AbortController();
  port.onDisconnect.addListener(() => controller.abort());
  const reply = (message: FromFrame): void => port.postMessage(message);
  let body: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  async function send(url: string, init: RequestInit): Promise<void> {
    const response = await fetch(url, { ...init, signal: controller.signal });
    body = response.body?.getReader();
    reply({ status: response.status, headers: [...response.headers] });
  }

  async function readPiece(): Promise<void> {
    const { done, value } = (await body?.read()) ?? { done: true };
    if (done) reply({ end: true });
    else reply({ piece: decoder.decode(value, { stream: true }) });
  }

  port.onMessage.addListener((received) => {
    const message = received as ToFrame;
    const work = message === 'more' ? readPiece() : send(message.url, message.init);
    work.catch(() => reply({ error: true })).catch(() => {});
  });
}
