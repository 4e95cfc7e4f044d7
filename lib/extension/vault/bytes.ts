/** Owns bytes as text: base64, as JSON can carry it. */
import * as v from 'valibot';

export type Bytes = Uint8Array<ArrayBuffer>;

export function toBase64(bytes: Bytes): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** Base64 of at least `least` and at most `most` bytes; parsed, the bytes. */
export const Base64 = (least: number, most: number) =>
  v.pipe(
    v.string(),
    v.maxLength(Math.ceil(most / 3) * 4, 'This is longer than it can be.'),
    v.regex(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'This is no base64.'),
    v.transform((text): Bytes => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))),
    v.check((bytes) => bytes.length >= least && bytes.length <= most, 'This has another length than it can have.'),
  );
