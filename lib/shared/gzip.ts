/** Compresses text to bytes and back, with the browser's own gzip. */

export async function gzip(text: string): Promise<Uint8Array<ArrayBuffer>> {
  // Unlike a blob, a response isn’t copied to another process.
  const stream = new Response(text).body!.pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Rejects if the bytes aren't complete gzip data. */
export async function gunzip(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}
