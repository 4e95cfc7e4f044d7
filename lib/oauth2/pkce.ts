/** Owns what a login needs that nobody can guess: `state` (RFC 6749 section 10.12) and PKCE's verifier and challenge (RFC 7636 section 4). */

/** Of so many random bytes, in the letters of base64url. */
export const random = (bytes: number) => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

/** SHA-256 in the letters of base64url, such as the challenge of a verifier; a page on http elsewhere than on this machine has no `crypto.subtle`. */
export const s256 = async (text: string) =>
  base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Of any length: one argument for each byte would be too many. */
export const base64 = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
  btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(''));
const base64url = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) =>
  base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
