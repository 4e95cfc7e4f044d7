/** The helpers that generated code can contain, each only where the code uses it. */

/** Names of variables and helpers that generated code can have besides those of loops. */
export const OWN_NAMES = [
  'data',
  'result',
  'context',
  'execute',
  'root',
  'found',
  'run',
  'packages',
  'functionPackages',
  'expressions',
  'compileCondition',
  'fill',
  'notMigrated',
] as const;

/** Source code by name. Helpers that others need are listed in `NEEDS`. */
const SOURCES = {
  own: `
/** A property: conditions in V2 didn’t see methods, or what all objects have. */
function own(object, key, otherwise) {
  if (object === undefined || object === null) throw new TypeError(\`Can’t read \${keyName(key)} of \${object}.\`);
  const name = keyName(key);
  if (Object.hasOwn(object, name)) return object[name];
  const value = name in Object.prototype ? undefined : object[name];
  return value === undefined || typeof value === 'function' ? otherwise : value;
}`,
  keyName: `
/** The name of a property, without those that conditions in V2 refused. */
function keyName(key) {
  const name = String(key);
  if (['constructor', '__proto__', 'prototype'].includes(name)) throw new TypeError(\`Can’t use the name \${name}.\`);
  return name;
}`,
  has: `
/** Whether the object has the property, without methods, or what all objects have. */
function has(key, object) {
  if (typeof object !== 'object' || object === null) throw new TypeError('The right side of “in” must be an object.');
  const name = String(key);
  if (Object.hasOwn(object, name)) return true;
  return !(name in Object.prototype) && object[name] !== undefined && typeof object[name] !== 'function';
}`,
  call: `
/** Calls a method that conditions in V2 could call only on these kinds of values. */
function call(value, method, kinds, ...args) {
  if (value === undefined || value === null) throw new TypeError(\`Can’t call \${method} of \${value}.\`);
  const kind = [Array.isArray(value) && 'array', value instanceof Date && 'date', value instanceof RegExp && 'regexp'];
  if (!kinds.includes(kind.find(Boolean) || typeof value)) throw new TypeError(\`Can’t call \${method} of this value.\`);
  if (['match', 'matchAll', 'search'].includes(method) && !(args[0] instanceof RegExp))
    throw new TypeError(\`\${method} needs a regular expression.\`);
  return value[method](...args);
}`,
  notMigrated: `
/** Stops where something couldn’t be migrated. */
function notMigrated(reason) {
  throw new Error(reason);
}`,
  maybe: `
/** What ?. does, where the rest of the chain is a function. */
function maybe(value, use) {
  return value === undefined || value === null ? undefined : use(value);
}`,
  text: `
/** A value within text, as templates in V2 printed it. */
function text(value) {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  const json = JSON.stringify(value, (_, each) => {
    const kind = typeof each === 'bigint' ? 'BigInt' : Object.prototype.toString.call(each).slice(8, -1);
    if (kind === 'Map' || kind === 'Set') return [...each];
    return /^(BigInt|Error|DOMException|RegExp|URLSearchParams)$/.test(kind) ? String(each) : each;
  });
  return !json || json === 'null' ? '' : json.startsWith('"') ? JSON.parse(json) : json;
}`,
  html: `
/** A value within HTML. */
function html(value) {
  const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  return text(value).replace(/[&<>"']/g, (character) => escapes[character]);
}`,
  requireString: `
/** Refuses a setting that isn’t a string. */
function requireString(value, step, setting) {
  if (typeof value !== 'string') throw new TypeError(\`\${step}: the setting "\${setting}" must be a string.\`);
  return value;
}`,
  list: `
/** The array at a path of own properties, unless the object has a property with the path as its name. */
function list(object, path, keys = path.split('.'), from = object) {
  const find = (value, key) =>
    value === undefined || value === null || !Object.hasOwn(value, key) ? undefined : value[key];
  const items = Object.hasOwn(object, path) ? object[path] : keys.reduce(find, from);
  if (!Array.isArray(items)) throw new TypeError(\`The loop needs an array in “\${path}”.\`);
  return items;
}`,
  keepLoopNames: `
/** Returns a function that restores what a loop replaces. */
function keepLoopNames(data) {
  const kept = ['currentItem', 'currentIndex'].map((name) => [name, Object.hasOwn(data, name), data[name]]);
  return () => {
    for (const [name, isKept, value] of kept) {
      if (isKept) data[name] = value;
      else delete data[name];
    }
  };
}`,
  readEntries: `
/** Entries of a data source, oldest first. */
async function readEntries(id, query = {}) {
  const source = await Platform.DataSources.connect(id);
  const entries = await source.find(query);
  return entries.map((entry) => ({ id: entry.id, data: entry.data }));
}`,
  insertEntries: `
/** Adds entries to a data source, one after another. */
async function insertEntries(id, entries) {
  if (!Array.isArray(entries))
    throw new TypeError('write-datasource: the setting "entries" must be an array of objects.');
  if (entries.length === 0) return;
  const source = await Platform.DataSources.connect(id);
  for (const entry of entries) await source.insert(entry);
}`,
  httpRequest: `
/** Calls a web service. A status of 400 or more isn’t an error. */
async function httpRequest({ url, method = 'GET', headers: given = {}, body }) {
  if (typeof method !== 'string' || !/^[a-z]{1,20}$/i.test(method))
    throw new TypeError('http-request: the setting "method" must be letters, such as POST.');
  const headers = new Headers(given);
  const isText = body === undefined || typeof body === 'string';
  if (!isText && !headers.has('content-type')) headers.append('content-type', 'application/json');
  const sent = fetch(url, { method, headers, body: isText ? body : JSON.stringify(body) });
  const response = await sent.catch((cause) => {
    const { host } = new URL(url);
    const reason = 'didn’t respond, or doesn’t allow requests from this page (CORS).';
    throw new Error(\`http-request: \${host} \${reason}\`, { cause });
  });
  const content = await response.text();
  const isJson = /\\bjson\\b/.test(response.headers.get('content-type') ?? '') && content !== '';
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: isJson ? JSON.parse(content) : content,
  };
}`,
} as const;

export type HelperName = keyof typeof SOURCES;

const NEEDS: Partial<Record<HelperName, readonly HelperName[]>> = {
  own: ['keyName'],
  html: ['text'],
};

export const HELPER_NAMES = Object.keys(SOURCES) as HelperName[];

/** Lines of the helpers, and of those that they need. In a fixed order, whatever the order of use. */
export function helperLines(used: ReadonlySet<HelperName>): string[][] {
  const needed = new Set([...used].flatMap((name) => [name, ...(NEEDS[name] ?? [])]));
  return HELPER_NAMES.filter((name) => needed.has(name)).map((name) => SOURCES[name].trim().split('\n'));
}
