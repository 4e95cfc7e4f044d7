/** Small globals for a run’s context: encoding, and `AbortController`. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

class TextEncoder {
  readonly encoding = 'utf-8';
  encode(text: unknown = ''): Uint8Array {
    const escaped = encodeURIComponent(String(text).toWellFormed());
    const bytes: number[] = [];
    for (let at = 0; at < escaped.length; at += 1) {
      if (escaped[at] === '%') {
        bytes.push(parseInt(escaped.slice(at + 1, at + 3), 16));
        at += 2;
      } else bytes.push(escaped.charCodeAt(at));
    }
    return new Uint8Array(bytes);
  }
}

class TextDecoder {
  readonly encoding = 'utf-8';
  decode(bytes: ArrayLike<number> = []): string {
    const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    return decodeURIComponent(escaped);
  }
}

function btoa(value: unknown): string {
  const text = String(value);
  if (/[^\0-\xff]/.test(text)) throw new TypeError('btoa accepts only characters up to U+00FF.');
  let out = '';
  for (let at = 0; at < text.length; at += 3) {
    const [a, b, c] = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)] as const;
    const bits = (a << 16) | ((b || 0) << 8) | (c || 0);
    out +=
      ALPHABET[bits >> 18]! +
      ALPHABET[(bits >> 12) & 63]! +
      (at + 1 < text.length ? ALPHABET[(bits >> 6) & 63]! : '=') +
      (at + 2 < text.length ? ALPHABET[bits & 63]! : '=');
  }
  return out;
}

function atob(value: unknown): string {
  const text = String(value)
    .replace(/[\t\n\f\r ]/g, '')
    .replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/]/.test(text) || text.length % 4 === 1) throw new TypeError('atob accepts only base64.');
  let out = '';
  let bits = 0;
  let count = 0;
  for (const char of text) {
    bits = ((bits << 6) | ALPHABET.indexOf(char)) & 0xffffff;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out += String.fromCharCode((bits >> count) & 255);
    }
  }
  return out;
}

class AbortSignal {
  aborted = false;
  reason: unknown = undefined;
  #listeners: (() => void)[] = [];
  addEventListener(type: string, listener: () => void): void {
    if (type === 'abort') this.#listeners.push(listener);
  }
  removeEventListener(_type: string, listener: () => void): void {
    this.#listeners = this.#listeners.filter((each) => each !== listener);
  }
  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }
  static end(signal: AbortSignal, reason: unknown): void {
    if (signal.aborted) return;
    signal.aborted = true;
    signal.reason = reason ?? Object.assign(new Error('The operation was aborted.'), { name: 'AbortError' });
    for (const listener of signal.#listeners) listener();
  }
  static timeout(ms: number): AbortSignal {
    const signal = new AbortSignal();
    setTimeout(
      () => AbortSignal.end(signal, Object.assign(new Error('The operation timed out.'), { name: 'TimeoutError' })),
      ms,
    );
    return signal;
  }
}

class AbortController {
  readonly signal = new AbortSignal();
  abort(reason?: unknown): void {
    AbortSignal.end(this.signal, reason);
  }
}

export function installTexts(): void {
  const queueMicrotask = (run: () => void): void => void Promise.resolve().then(() => run());
  Object.assign(globalThis, {
    TextEncoder,
    TextDecoder,
    btoa,
    atob,
    AbortSignal,
    AbortController,
    queueMicrotask,
  });
}
