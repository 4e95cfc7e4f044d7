/** Owns what a login needs that nobody can guess: `state` (RFC 6749 section 10.12) and PKCE's verifier and challenge (RFC 7636 section 4). */

/** Of so many random bytes, in the letters of base64url. */
export function random(bytes: number): string {
  return base64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** SHA-256 in the letters of base64url, such as the challenge of a verifier; a page on http elsewhere than on this machine has no `crypto.subtle`. */
export async function s256(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

const base64url = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (letter) => ({ '+': '-', '/': '_' })[letter] ?? '');
