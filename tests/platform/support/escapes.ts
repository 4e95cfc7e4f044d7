/** Ways in which the code of a run may try to reach Node. */

/** Each tries to reach `process`, and returns what it found. */
export const ESCAPES = [
  'Function("return process")()',
  'globalThis.constructor.constructor("return process")()',
  '(async () => {}).constructor("return process")()',
  '(function* () {}).constructor("return process")().next().value',
  'fetch.constructor("return process")()',
  'setTimeout.constructor("return process")()',
  'console.log.constructor("return process")()',
  'URL.prototype.constructor.constructor("return process")()',
  'fetch("x").catch((error) => error.constructor.constructor("return process")())',
  'import("node:fs").then((fs) => fs.readdirSync("/"))',
  'import("node:fs").catch((error) => error.constructor.constructor("return process")())',
  'new Promise((resolve) => setTimeout("resolve(process)", 1))',
  '(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => [site.getThis?.(), site.getFunction?.()]).flat().filter((each) => each && each.constructor !== Function); const found = new Error().stack; Error.prepareStackTrace = undefined; return found.map((each) => each.constructor.constructor("return process")()); })()',
  '(() => { const deep = () => { try { deep(); } catch (error) { return error.constructor.constructor("return process")(); } }; return deep(); })()',
  '(() => { try { null.x; } catch (error) { return error.constructor.constructor("return process")(); } })()',
  'eval("process")',
  'new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).constructor.constructor("return process")()',
  'Object.getPrototypeOf(globalThis).constructor.constructor("return process")()',
  'Platform.request.constructor("return process")()',
  'crypto.getRandomValues.constructor("return process")()',
  'new Proxy(fetch, {}).constructor("return process")()',
  'Reflect.construct(Function, ["return process"])()',
  'structuredClone(new Error()).constructor.constructor("return process")()',
];
/** Code of a function that says what an attempt has found. */
export const DESCRIBE =
  '(value) => value === undefined ? "nothing" : typeof value === "object" && value !== null && "pid" in value ? "ESCAPED" : String(value && value.pid)';
/** What an attempt finds that doesn’t succeed. */
export const NO_ESCAPE = /^(undefined|nothing|\w*Error: )/;

/** Calls of functions that come from Node’s own realm. */
export const CALLS = [
  'console.log("x")',
  'new URL("http://a/")',
  'crypto.randomUUID()',
  'setTimeout(() => {}, 1)',
  'clearTimeout(1)',
  'fetch("http://a.invalid/").catch(() => {})',
];
/**
 * Code that makes a call wherever the stack ends, and returns what is thrown that isn’t the language’s own error. With
 * each number of arguments, another amount of the stack is left.
 */
export const atTheEndOfTheStack = (call: string, counts: readonly number[]): string =>
  `const foreign = new Set(); const down = (...args) => { try { down(...args); } catch {} try { ${call}; } catch (error) { if (!(error instanceof Error)) foreign.add(String(error)); } }; for (const count of ${JSON.stringify(counts)}) down(...Array(count).fill(0)); return [...foreign];`;
