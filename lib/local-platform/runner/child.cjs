/**
 * Runs inside a run’s process: keeps Node’s own objects away from the run, whose context can only exchange strings
 * and numbers with it.
 */
'use strict';
const { writeSync } = require('node:fs');
const { randomFillSync } = require('node:crypto');
const { constants, createContext, Script } = require('node:vm');

const { setTimeout, clearTimeout, URL, Buffer } = globalThis;
const { parse, stringify } = JSON;
const { performance } = globalThis;
const { stdin } = process;
const exit = process.exit.bind(process);

function write(text) {
  const bytes = Buffer.from(`${text}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== 'EAGAIN') exit(1);
    }
  }
}

const PARTS = [
  'href',
  'origin',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
];

function describeUrl(url) {
  return stringify(Object.fromEntries(PARTS.map((part) => [part, url[part]])));
}

/** Returns null instead of throwing: an error of this realm would be a way out of the context. */
function safely(operation) {
  return (...args) => {
    try {
      return operation(...args) ?? null;
    } catch {
      return null;
    }
  };
}

const timers = new Map();
let context;

/** A slot of the file with the last steps (step-file.ts). */
const slot = Buffer.alloc(4096);
const SLOTS = 8;
let steps = 0;

/** Only strings and numbers go in and out. */
const host = Object.assign(Object.create(null), {
  receive: null,
  send: safely((text) => write(String(text))),
  step: safely((text) => {
    const length = slot.latin1Write(`${steps} ${text}\n`, 0);
    writeSync(3, slot, 0, length, (steps % SLOTS) * slot.length);
    steps += 1;
  }),
  startTimer: safely(
    (id, ms) =>
      void timers.set(
        id,
        setTimeout(() => deliver(`T${id}`), ms),
      ),
  ),
  stopTimer: safely((id) => clearTimeout(timers.get(id))),
  parseUrl: safely((text, base) => describeUrl(new URL(String(text), base === null ? undefined : String(base)))),
  changeUrl: safely((href, part, value) => {
    const url = new URL(href);
    url[PARTS.includes(part) ? part : 'href'] = value;
    return describeUrl(url);
  }),
  now: safely(() => performance.now()),
  byteLength: safely((text) => Buffer.byteLength(String(text))),
  random: safely((count) => randomFillSync(Buffer.alloc(Math.min(count, 65_536))).toString('hex')),
  /** Returns the error message, or null. The value is one of the context. */
  evaluate: safely((source, filename, listener) => {
    try {
      const value = new Script(String(source), { filename: String(filename) }).runInContext(context);
      listener?.(value);
      return null;
    } catch (error) {
      return String(
        (typeof error === 'object' && error !== null && error.message) || 'It threw without a message.',
      ).slice(0, 1_000);
    }
  }),
});

function deliver(text) {
  if (text[0] === 'T') timers.delete(Number(text.slice(1)));
  try {
    host.receive(text);
  } catch {
    // The runtime reports its own errors. Others must not end the process.
  }
}

const newContext = () => createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });

function prepare(runtime) {
  context = newContext();
  // Strict, so that no function leads to its callers.
  new Script(`(function (host) { 'use strict'; ${runtime}\n})`, { filename: 'platform-runner.js' }).runInContext(
    context,
  )(host);
  // Its class is Node’s own, in this realm.
  new Script("import('')").runInContext(context).catch((error) => {
    if (error instanceof Error) freezeAll([Object.getPrototypeOf(error)]);
  });
  write('+');
}

/**
 * A second layer behind the context: code that escapes from it finds no modules, sockets, or signals. Node’s permission
 * model refuses files, processes, workers, and add-ons. The operating system’s sandbox is in confinement.ts.
 */
function lockDown() {
  const refuse = () => {
    throw new Error('Runs can’t do this.');
  };
  const { Socket, Server } = require('node:net');
  Socket.prototype.connect = refuse;
  Server.prototype.listen = refuse;
  const Module = require('node:module');
  for (const name of ['_load', 'createRequire', 'runMain', '_extensions', 'register', 'registerHooks'])
    Module[name] = refuse;
  Module.prototype.require = refuse;
  Module.prototype._compile = refuse;
  for (const name of [
    'binding',
    '_linkedBinding',
    'dlopen',
    'kill',
    '_kill',
    'getBuiltinModule',
    '_debugProcess',
    '_startProfilerIdleNotifier',
    'execve',
    'chdir',
    'setuid',
    'setgid',
    'seteuid',
    'setegid',
  ])
    process[name] = refuse;
  process.mainModule = undefined;
  // Node’s objects are all that the language doesn’t have, such as all built-in modules.
  const language = new Set(Reflect.ownKeys(newContext()));
  for (const name of ['console', 'WebAssembly']) language.delete(name);
  for (const name of Reflect.ownKeys(globalThis)) if (!language.has(name)) Reflect.deleteProperty(globalThis, name);
}

/**
 * Freezes everything that an error of this realm leads to. A refused `import()` gives a run such an error, and Node
 * would call functions added to its prototypes with Node’s own objects. Freezing all intrinsics would take as long as a
 * short run.
 */
function freezeIntrinsics() {
  for (const each of [Object.prototype, Function.prototype, Error.prototype]) keepAssignable(each);
  freezeAll([
    Object,
    Function,
    Promise,
    Error,
    AggregateError,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
    // The functions of its own `stack` are the same for all errors.
    new Error(),
  ]);
}

/** Freezes objects, and all that they lead to. */
function freezeAll(objects) {
  const found = new Set(objects);
  for (const each of found) {
    for (const key of Reflect.ownKeys(each)) {
      const { value, get, set } = Object.getOwnPropertyDescriptor(each, key);
      for (const part of [value, get, set])
        if (typeof part === 'function' || (typeof part === 'object' && part !== null)) found.add(part);
    }
    const prototype = Object.getPrototypeOf(each);
    if (prototype !== null) found.add(prototype);
  }
  for (const each of found) Object.freeze(each);
}

/** Lets objects still get an own `name` or `toString` by assignment, which a frozen prototype would prevent. */
function keepAssignable(prototype) {
  for (const key of Reflect.ownKeys(prototype)) {
    const property = Object.getOwnPropertyDescriptor(prototype, key);
    if (!property.configurable || !('value' in property)) continue;
    Object.defineProperty(prototype, key, {
      get: () => property.value,
      set(value) {
        if (this !== prototype)
          Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true });
      },
    });
  }
}

process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});

let parts = [];
stdin.setEncoding('utf8');
stdin.on('data', (chunk) => {
  let from = 0;
  for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
    const line = parts.join('') + chunk.slice(from, end);
    parts = [];
    from = end + 1;
    if (context === undefined) prepare(parse(line));
    else deliver(line);
  }
  parts.push(chunk.slice(from));
});
stdin.on('end', () => exit(0));
lockDown();
freezeIntrinsics();
