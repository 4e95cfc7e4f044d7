/** Generates a login’s `state` (RFC 6749 section 10.12), and PKCE’s verifier and challenge (RFC 7636 section 4). */

/** Random bytes as base64url. */
export function randomText(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** SHA-256 as base64url. Rejects if `crypto.subtle` is missing, which is the case on http pages from other machines. */
export async function s256(text: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

export function base64(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  // Doesn’t spread the bytes into a single `fromCharCode` call: a large file would exceed the argument limit.
  return btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));
}

function base64url(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  return base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
