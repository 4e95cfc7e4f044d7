/**
 * Masks secrets in recordings, before they are stored or leave where they were recorded. A value that a replay reads is
 * lost as a whole, so that whatever depends on it is unknown: two masked values never count as equal. What is only shown,
 * such as console lines, requests, and the settings of functions, keeps its text with `••••` instead of the secret.
 */
import { templateParts } from '../../pipeline/index.ts';
import { escapeToken, parsePointer } from '../../shared/json-pointer.ts';
import { maskCredentials } from '../../shared/secrets/credentials.ts';
import { KnownSecrets, MASK } from '../../shared/secrets/known-secrets.ts';
import { canBeSecret, hasNamedSecret, isNameOfValue, isSecretName } from '../../shared/secrets/secret-names.ts';
import type { RecordedChange } from './context-changes.ts';
import type {
  RecordedAction,
  RecordedBody,
  RecordedEnd,
  RecordedError,
  RecordedLine,
  RecordedRequest,
  RecordedStep,
  Recording,
} from './format.ts';
import { lost, type RecordedValue } from './values.ts';

/**
 * Returns the recording without values whose names give them away: those that end with `token`, `secret`, `password`,
 * `passwd`, `passphrase`, `passcode`, `authorization`, `cookie`, `credentials`, `assertion`, `code_verifier`, `device_code`,
 * `api_key`, `private_key`, `secret_key`, `secret_access_key`, `signing_key`, `encryption_key`, `subscription_key`,
 * `session_id`, or `X-Amz-Signature`, or with the words `jwt`, `otp`, or `pwd`, in any case and punctuation. In values, URLs,
 * headers, bodies, and other text, in all common formats, also encoded. Cursors of lists, such as `nextPageToken`, stay, and
 * so do numbers of sessions, as in the log, and what is empty, null, or a boolean.
 *
 * A string of the payload, a change, a value, or a result that has a secret becomes a lost value with the reason `masked`,
 * and with the rest of its text. In the pipeline, function settings keep their form, because a replay calls no function.
 *
 * @param secrets masked wherever they occur, also encoded, as `KnownSecrets` finds them; from 6 characters on, also in longer
 * strings and in names of properties
 */
export function maskRecording(recording: Recording, secrets: readonly string[] = []): Recording {
  const known = new KnownSecrets(secrets);
  return maskRecordingWith(recording, (text) => known.mask(text));
}

/**
 * As `maskRecording`, for secrets that only another part of the program knows.
 * @param known receives every text, without its credentials, and returns it with its known secrets masked
 */
export function maskRecordingWith(recording: Recording, known: (text: string) => string): Recording {
  return new Masking(known).recording(recording);
}

/** What happens to a value: `read` by a replay, `shown` only, or `logic`, which is the pipeline without its settings. */
type Use = 'read' | 'shown' | 'logic';
type Fields = { [name: string]: RecordedValue };

class Masking {
  readonly #known: (text: string) => string;
  #lost = 0;

  constructor(known: (text: string) => string) {
    this.#known = known;
  }

  recording(recording: Recording): Recording {
    const { action, pipeline, payload, steps, end, console, requests } = recording;
    return {
      ...recording,
      ...(action && { action: this.#action(action) }),
      pipeline: this.#value(pipeline, 'logic'),
      payload: this.#value(payload, 'read'),
      steps: steps.map((step) => this.#step(step)),
      end: this.#end(end),
      ...(console && { console: console.map((line) => this.#line(line)) }),
      ...(requests && { requests: requests.map((request) => this.#request(request)) }),
      lost: recording.lost + this.#lost,
    };
  }

  #text(text: string): string {
    return this.#known(maskCredentials(text));
  }

  #lose(use: Use, text?: string): RecordedValue {
    if (use === 'shown') return text ?? MASK;
    this.#lost++;
    return lost('masked', text);
  }

  #value(value: RecordedValue, use: Use): RecordedValue {
    if (typeof value === 'string') {
      const masked = use === 'logic' ? this.#known(value) : this.#text(value);
      return masked === value ? value : this.#lose(use, masked);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return mapped(value, (item) => this.#item(item, use));
    return Object.hasOwn(value, '$') ? this.#mark(value, use) : this.#object(value, use);
  }

  /** An item of an array, which can be a pair, as in `[['Authorization', '…']]`. */
  #item(item: RecordedValue, use: Use): RecordedValue {
    const isPair = Array.isArray(item) && item.length === 2 && typeof item[0] === 'string' && isSecretName(item[0]);
    if (!isPair) return this.#value(item, use);
    const [name] = item as [string];
    return mapped(item, (part, index) => (index === 0 ? this.#value(part, use) : this.#secret(part, use, name)));
  }

  #mark(mark: Fields, use: Use): RecordedValue {
    const { $: kind, value, text } = mark;
    if (kind === 'entries' && Array.isArray(value))
      return { ...mark, value: this.#entries(value as [string, RecordedValue][], use) };
    if (kind === 'lost' && typeof text === 'string') return { ...mark, text: this.#text(text) };
    if (kind !== 'ref' || typeof value !== 'string') return mark;
    const isMasked = parsePointer(value).some((token) => isSecretName(token));
    return isMasked ? this.#lose(use) : { ...mark, value: this.#known(value) };
  }

  #object(object: Fields, use: Use): RecordedValue {
    const before = Object.entries(object);
    const after = this.#entries(before, use);
    // Defines own properties, even `__proto__`.
    return after === before ? object : Object.fromEntries(after);
  }

  #entries(entries: [string, RecordedValue][], use: Use): [string, RecordedValue][] {
    const isNamed = hasNamedSecret(entries);
    return mapped(entries, (entry) => {
      const [name, value] = entry;
      const isSecret = isSecretName(name) || (isNamed && isNameOfValue(name));
      const masked = isSecret ? this.#secret(value, use, name) : this.#value(value, innerUse(use, name));
      const maskedName = this.#known(name);
      return masked === value && maskedName === name ? entry : ([maskedName, masked] as [string, RecordedValue]);
    });
  }

  /** The value of a credential with this name. */
  #secret(value: RecordedValue, use: Use, name: string): RecordedValue {
    if (isMark(value, 'lost')) return { $: 'lost', value: value.value! };
    if (!canBeSecret(value, name) || isMark(value, 'undefined') || (typeof value === 'string' && isTemplate(value)))
      return this.#value(value, use);
    return this.#lose(use);
  }

  #change(change: RecordedChange): RecordedChange {
    const [path, value] = change;
    const tokens = parsePointer(path);
    const at = tokens.findIndex((token) => isSecretName(token));
    const isInside = at >= 0 && at < tokens.length - 1;
    // What is inside of a masked value can't be changed, so it's masked again.
    if (isInside) return [pointerOf(tokens.slice(0, at + 1)), this.#lose('read')];
    const maskedPath = this.#known(path);
    if (value === undefined) return maskedPath === path ? change : [maskedPath];
    const masked = at < 0 ? this.#value(value, 'read') : this.#secret(value, 'read', tokens[at]!);
    return masked === value && maskedPath === path ? change : [maskedPath, masked];
  }

  #changes(changes: RecordedChange[]): RecordedChange[] {
    return mapped(changes, (change) => this.#change(change));
  }

  #step(step: RecordedStep): RecordedStep {
    const { name, value, shared, error, changes, late, attempts, replaced } = step;
    return {
      ...step,
      ...(name !== undefined && { name: this.#known(name) }),
      ...(value !== undefined && { value: this.#value(value, 'read') }),
      ...(shared && { shared: shared.map(([one, other]) => [this.#known(one), this.#known(other)] as const) }),
      ...(error && { error: this.#error(error) }),
      ...(changes && { changes: this.#changes(changes) }),
      ...(late && { late: late.map((each) => ({ ...each, changes: this.#changes(each.changes) })) }),
      ...(attempts && { attempts: attempts.map((each) => this.#error(each)) }),
      ...(replaced !== undefined && { replaced: this.#known(replaced) }),
    };
  }

  #error(error: RecordedError): RecordedError {
    const { name, message, thrown } = error;
    const masked = { ...error, name: this.#text(name), message: this.#text(message) };
    return thrown === undefined ? masked : { ...masked, thrown: this.#value(thrown, 'read') };
  }

  #end(end: RecordedEnd): RecordedEnd {
    if (end.state === 'completed') return { ...end, result: this.#value(end.result, 'read') };
    return end.state === 'failed' ? { ...end, error: this.#error(end.error) } : end;
  }

  #action(action: RecordedAction): RecordedAction {
    const { baseUrl, name } = action;
    return {
      ...action,
      ...(baseUrl !== undefined && { baseUrl: this.#text(baseUrl) }),
      ...(name !== undefined && { name: this.#text(name) }),
    };
  }

  #line(line: RecordedLine): RecordedLine {
    const args = mapped(line.args, (arg, index) => {
      const before = line.args[index - 1];
      const label = typeof before === 'string' ? labelOf(before) : '';
      return isSecretName(label) ? this.#secret(arg, 'shown', label) : this.#value(arg, 'shown');
    });
    return { ...line, args };
  }

  #request(request: RecordedRequest): RecordedRequest {
    const { method, url, error, headers, body, responseHeaders, responseBody } = request;
    return {
      ...request,
      method: this.#text(method),
      url: this.#text(url),
      ...(error !== undefined && { error: this.#text(error) }),
      ...(headers && { headers: this.#headers(headers) }),
      ...(body && { body: this.#body(body) }),
      ...(responseHeaders && { responseHeaders: this.#headers(responseHeaders) }),
      ...(responseBody && { responseBody: this.#body(responseBody) }),
    };
  }

  #headers(headers: [name: string, value: string][]): [name: string, value: string][] {
    return headers.map(([name, value]) => {
      const isSecret = isSecretName(name) && value !== '';
      return [this.#text(name), isSecret ? MASK : this.#text(value)];
    });
  }

  #body(body: RecordedBody): RecordedBody {
    return { ...body, text: this.#text(body.text) };
  }
}

/** In the pipeline, only settings have values of their own. */
const innerUse = (use: Use, name: string): Use => (use === 'logic' && name === 'settings' ? 'shown' : use);

const pointerOf = (tokens: readonly string[]): string => tokens.map((token) => `/${escapeToken(token)}`).join('');

const isMark = (value: RecordedValue, kind: string): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.$ === kind;

/** The last word of a console line’s value, as in `console.log('password:', value)`. */
const labelOf = (text: string): string => /(?:^|[\s"'({,])([\w-]+)["']?\s*[:=]?\s*$/.exec(text.slice(-60))?.[1] ?? '';

/** The same array if nothing has changed, so that a large recording isn't copied. */
function mapped<T>(items: T[], change: (item: T, index: number) => T): T[] {
  let result = items;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    const changed = change(item, index);
    if (changed === item) continue;
    if (result === items) result = [...items];
    result[index] = changed;
  }
  return result;
}

/** Whether a credential is put in when the pipeline runs, such as `Bearer {{login.token}}`. */
function isTemplate(text: string): boolean {
  try {
    const [first, ...rest] = templateParts(text.replace(/^\w+ (?=\{\{)/, ''));
    return typeof first === 'object' && rest.every((part) => typeof part === 'object' || !/[\p{L}\p{N}]/u.test(part));
  } catch {
    return false;
  }
}
