/** Keeps the long texts that the panel sends in pieces, until each is used. */
import { mapDelete, mapGet, MapOf, mapSet } from '../../../agent/pristine.ts';

/** Texts that are never used are dropped when there are more. */
const MAX_TEXTS = 4;
/** Maximum length of one text, in characters. More than that of a recording. */
const MAX_LENGTH = 64 * 1024 * 1024;

export class Texts {
  readonly #texts = new MapOf<string, string>();
  /** Oldest first. */
  #ids: string[] = [];

  /** Adds the piece that starts at a position. False if the text is too long, or if an earlier piece is missing. */
  put(id: string, from: number, piece: string): boolean {
    if (from === 0) this.#begin(id);
    const text = mapGet(this.#texts, id);
    if (text === undefined || text.length !== from) return false;
    if (from + piece.length > MAX_LENGTH) {
      this.take(id);
      return false;
    }
    mapSet(this.#texts, id, text + piece);
    return true;
  }

  /** A text, which isn’t kept any longer. Undefined if there is none. */
  take(id: string): string | undefined {
    const text = mapGet(this.#texts, id);
    mapDelete(this.#texts, id);
    const kept: string[] = [];
    for (let i = 0; i < this.#ids.length; i++) if (this.#ids[i] !== id) kept[kept.length] = this.#ids[i]!;
    this.#ids = kept;
    return text;
  }

  #begin(id: string): void {
    this.take(id);
    if (this.#ids.length >= MAX_TEXTS) this.take(this.#ids[0]!);
    this.#ids[this.#ids.length] = id;
    mapSet(this.#texts, id, '');
  }
}
