/** The one way out of a command: tokens are masked in everything it writes, and invisible characters are escapes. */
import { visible } from '../../shared/invisible.ts';
import { mapTexts } from '../../shared/objects.ts';
import { escapeToken } from '../../shared/json-pointer.ts';
import { KnownSecrets, MASK } from '../../shared/secrets/known-secrets.ts';
import type { Host } from './host.ts';

/** The start of a token that was cut off has at least this many characters. */
const MIN_START = 6;

/** The tokens that a command has read. */
export class Tokens {
  readonly #tokens = new Set<string>();
  #known = new KnownSecrets([]);
  #longest = 0;

  add(...tokens: string[]): void {
    for (const token of tokens) this.#tokens.add(token);
    this.#known = new KnownSecrets([...this.#tokens]);
    this.#longest = Math.max(this.#longest, ...tokens.map(({ length }) => length));
  }

  /** For output that shows a token on purpose. */
  forget(token: string): void {
    this.#tokens.delete(token);
    this.#known = new KnownSecrets([...this.#tokens]);
  }

  /** Masks the tokens, also encoded, and the start of one that a text was cut in. */
  readonly mask = (text: string): string => this.#withoutStarts(this.#known.mask(text));

  /** Masks all texts of plain data. */
  readonly masked = <T>(value: T): T => (this.#tokens.size === 0 ? value : (mapTexts(value, this.mask) as T));

  /** JSON Pointers to the texts, or to the values of names, that have a token. */
  placesIn(value: unknown): string[] {
    const places: string[] = [];
    const open = [{ value, pointer: '' }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { value: each, pointer } = next;
      if (typeof each === 'string' && this.mask(each) !== each) places.push(pointer);
      if (typeof each !== 'object' || each === null) continue;
      for (const [name, inner] of Object.entries(each).reverse()) {
        const at = `${pointer}/${escapeToken(name)}`;
        if (this.mask(name) === name) open.push({ value: inner, pointer: at });
        else places.push(this.mask(at));
      }
    }
    return places;
  }

  #withoutStarts(text: string): string {
    let masked = '';
    let done = 0;
    for (let end = text.indexOf('…'); end >= 0; end = text.indexOf('…', end + 1)) {
      const length = this.#startBefore(text.slice(Math.max(done, end - this.#longest), end));
      if (length === 0) continue;
      masked += text.slice(done, end - length) + MASK;
      done = end;
    }
    return done === 0 ? text : masked + text.slice(done);
  }

  /** The length of the longest start of a token that the text ends with. */
  #startBefore(text: string): number {
    let longest = 0;
    for (const token of this.#tokens)
      for (let length = Math.min(token.length - 1, text.length); length >= MIN_START && length > longest; length--)
        if (text.endsWith(token.slice(0, length))) longest = length;
    return longest;
  }
}

/** What we write to a terminal ourselves: colors, and the end of a progress line. */
// oxlint-disable-next-line no-control-regex -- these are what is kept
const OWN_CONTROLS = /(\r?\u001B\[[\d;]*[mK])/;

const shown = (text: string): string =>
  text
    .split(OWN_CONTROLS)
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join('');

/** Standard output is written by whole lines, so that no token is in two writes. `end` writes the rest. */
export function safely(host: Host): { host: Host; end: () => void } {
  const { tokens } = host;
  let rest = '';
  let hasToken = false;
  const write = (text: string): void => {
    const masked = tokens.mask(text);
    hasToken ||= masked !== text;
    if (text !== '') host.out(shown(masked));
  };
  const out = (text: string): void => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  };
  const error = (text: string): void => host.error(shown(tokens.mask(text)));
  const end = (): void => {
    write(rest);
    if (hasToken) error(`Warning: The output has a token, which is shown as ${MASK}.\n`);
  };
  return { host: { ...host, out, error }, end };
}

type Write = (chunk: string | Uint8Array, ...rest: never[]) => boolean;
interface GuardedProcess {
  stdout: { write: Write };
  stderr: { write: Write };
  exit(code: number): void;
  on(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
}

/** What others write in this process passes, too: libraries, such as with DEBUG, questions, and Node with an uncaught error. */
export function guardProcess(process: GuardedProcess, tokens: Tokens): void {
  for (const stream of [process.stdout, process.stderr]) {
    const write = stream.write.bind(stream);
    stream.write = (chunk, ...rest) => {
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      const masked = tokens.mask(text);
      return write(masked === text ? chunk : masked, ...rest);
    };
  }
  process.on('uncaughtException', (error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${shown(text)}\n`, ...([() => process.exit(1)] as never[]));
  });
}
