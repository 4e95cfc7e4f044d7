/** Encodes and decodes base64. */
import * as v from 'valibot';

export type Bytes = Uint8Array<ArrayBuffer>;

export function toBase64(bytes: Bytes): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Parses base64 that encodes between `least` and `most` bytes. */
export const Base64 = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.maxLength(Math.ceil(most / 3) * 4, 'This value is too long.'),
    v.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'This value must be base64.'),
    v.transform((text): Bytes => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
    v.check((bytes) => bytes.length >= least && bytes.length <= most, 'This value has the wrong length.'),
  );
