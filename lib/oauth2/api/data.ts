/** Converts the `data` of `api()` to a query or a body. Refuses what would be lost. */
import { fail } from '../errors.ts';
import { parse, stringify } from '../intrinsics.ts';

/** Doesn’t use instanceof: the object might come from a frame. */
const kindOf = (value: unknown) => ({}).toString.call(value).slice(8, -1);

/** What JSON can hold, with class instances. Others would lose all or most of their data, such as a File or a Map. */
const JSON_KINDS = /^(Object|Array|String|Number|Boolean|Null|Undefined)$/;

/**
 * Arrays repeat the name for each item. Null and undefined are omitted.
 * @throws OAuth2Error ARGUMENT_INVALID
 */
export function appendQuery(service: string, query: URLSearchParams, data: object): void {
  const form = toForm(data);
  const fields = form ?? (parse(toJson(service, data, 'data', true)) as Record<string, unknown>);
  // The JSON of an object can be text, such as that of a date.
  if (Object(fields) !== fields) fail('ARGUMENT_INVALID', service, 'data must be an object');
  for (const [name, value] of form ?? Object.entries(fields as Record<string, unknown>))
    for (const item of [value].flat())
      if (item !== null) query.append(name, typeof item === 'string' ? item : toJson(service, item, `data.${name}`));
}

/**
 * Bytes and forms are sent as they are, and other objects as JSON.
 * @returns `type` is empty if the browser sets the content type
 * @throws OAuth2Error ARGUMENT_INVALID
 */
export function toBody(service: string, data: object): { body: BodyInit; type: string } {
  const form = toForm(data);
  if (form) return { body: form, type: '' };
  if (/^(Blob|File|ArrayBuffer)$/.test(kindOf(data)) || ArrayBuffer.isView(data))
    return { body: data as Blob, type: (data as Blob).type || 'application/octet-stream' };
  return { body: toJson(service, data), type: 'application/json' };
}

/** The data itself, a form’s data, or the value or files of an input, as in a form. Null for other objects. */
function toForm(data: object): FormData | URLSearchParams | null {
  const kind = kindOf(data);
  if (kind === 'FormData' || kind === 'URLSearchParams') return data as FormData;
  if (kind === 'HTMLFormElement') return new FormData(data as HTMLFormElement);
  const input = (kind === 'FileList' ? { files: data } : data) as HTMLInputElement;
  if (input === data && kind !== 'HTMLInputElement') return null;
  const { name, files, value, type, checked } = input;
  const form = new FormData();
  if (checked || !/^(checkbox|radio)$/.test(type))
    for (const item of files ?? [value]) form.append(name || 'file', item);
  return form;
}

/** Like JSON.stringify, but refuses what JSON would omit or change, except undefined. */
function toJson(service: string, data: unknown, root = 'data', isQuery?: boolean): string {
  const paths = new Map<unknown, string>();
  let problem = root;
  try {
    const json = stringify(data, function (this: Record<string, unknown>, key: string, value: unknown) {
      const path = paths.size ? `${paths.get(this)}.${key}` : root;
      if (isQuery && typeof value === 'bigint') return String(value);
      // `toJSON` of an invalid date returns null.
      const original = value ?? this[key];
      const kind = typeof original === 'number' && !Number.isFinite(original) ? original : kindOf(original);
      if (!JSON_KINDS.test(`${kind}`)) throw (problem = `${path} (${kind})`);
      paths.set(value, path);
      return value;
    }) as string | undefined;
    return json ?? 'null';
  } catch {
    fail('ARGUMENT_INVALID', service, `${problem} can’t be sent as text`);
  }
}
