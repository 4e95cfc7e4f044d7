/** Pages that attack the extension. Each runs before the panel inspects it, and collects in `loot` what it could access. */
import { AGENT_PROTOCOL } from '../../../lib/extension/inspector/agent-protocol.ts';
import { type PageServer, startPages } from './page-server.ts';

/** Executes wherever it is taken for more than text; every page uses it wherever the panel may show it. */
export const MARKUP = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';

/** Doesn’t use anything that a page overrides. */
const KEEP =
  'window.loot = []; const keep = function () { const all = arguments; for (let i = 0; i < all.length; i++) if (typeof all[i] === "string" && loot.length < 20000) loot[loot.length] = all[i]; };';
const MARK = `const MARKUP = ${JSON.stringify(MARKUP).replaceAll('<', '\\u003c')};`;
const DEBUG_PAGE = `window.ENV = { appId: 7, taskId: 9, organizationId: 1, mode: MARKUP, taskPipeline: [{ functionPackage: MARKUP, settings: { [MARKUP]: MARKUP } }] };
  window.Platform = { App: { Actions: { Pipeline: { run: async () => ({ [MARKUP]: MARKUP }) } } } };`;

/** Every key of the agent’s protocol, as an own property that JSON would never create. */
const KEYS = [
  't',
  'v',
  'ok',
  'n',
  'kind',
  'protocol',
  'documentId',
  'url',
  'events',
  'last',
  'look',
  'items',
  'entries',
  'handle',
  'error',
  'code',
  'message',
  'value',
  'done',
  'get',
  'set',
  'next',
  'then',
  'toJSON',
];

export const HOSTILE_PAGES = {
  'overrides-built-ins': `${DEBUG_PAGE}
    for (const [holder, names] of [[Array.prototype, ['push', 'map', 'slice', 'join', 'filter', 'forEach', 'includes']], [Function.prototype, ['call', 'apply', 'bind', 'toString']], [JSON, ['stringify', 'parse']], [Object, ['keys', 'defineProperty', 'freeze', 'entries', 'getPrototypeOf', 'create']], [Reflect, ['apply', 'ownKeys', 'get']], [String.prototype, ['slice', 'indexOf', 'replace']], [Map.prototype, ['get', 'set']], [WeakMap.prototype, ['get', 'set']], [Promise.prototype, ['then']], [RegExp.prototype, ['exec', 'test']], [Math, ['random', 'floor']], [Date, ['now']], [performance, ['now']]]) {
      for (const name of names) {
        holder[name] = function (a, b, c) { keep(a, b, c, this); return name === 'stringify' ? '{"forged":true}' : undefined; };
      }
    }
    Array.prototype[Symbol.iterator] = function* () { keep('' + this.length); yield MARKUP; };
    globalThis.Promise = function () { throw MARKUP; }; globalThis.Proxy = globalThis.WeakMap = globalThis.Map = undefined;`,
  'sets-traps': `${DEBUG_PAGE}
    for (const key of ${JSON.stringify(KEYS)}) Object.defineProperty(Object.prototype, key, { configurable: true, get() { keep(this); return undefined; }, set(value) { keep(value); throw MARKUP; } });
    Object.defineProperty(Array.prototype, '0', { configurable: true, set(value) { keep(value); throw MARKUP; } });`,
  'freezes-everything': `${DEBUG_PAGE} for (const name of Object.getOwnPropertyNames(globalThis)) try { const it = globalThis[name]; if (typeof it === 'function' && it.prototype) { Object.freeze(it.prototype); Object.freeze(it); } } catch {} Object.freeze(JSON); Object.freeze(Reflect); Object.preventExtensions(globalThis);`,
  'shadows-platform': `${DEBUG_PAGE} const real = Platform; let reads = 0;
    Object.defineProperty(window, 'Platform', { get() { reads++; if (reads % 5 === 1) return real; if (reads % 5 === 2) throw MARKUP; if (reads % 5 === 3) return MARKUP; if (reads % 5 === 4) return new Proxy(real, { get(target, key) { keep(String(key)); if (key === 'App') throw { toString() { throw MARKUP; } }; return target[key]; }, has: () => { throw 1; }, ownKeys: () => [MARKUP, MARKUP], getPrototypeOf: () => { throw MARKUP; } }); return null; } });`,
  'forges-the-agent': `${DEBUG_PAGE} let n = 0, states = 0;
    const text = { t: 'string', v: MARKUP, length: 1e9, handle: 1 };
    let deep = text; for (let i = 0; i < 55; i++) deep = { t: 'object', size: 9, entries: [[MARKUP, deep]], handle: 2 };
    const wide = { t: 'object', name: MARKUP, size: 1e15, entries: [['__proto__', text], [MARKUP, deep], ['constructor', { t: 'error', name: MARKUP, message: MARKUP, stack: MARKUP }]] };
    const event = (body) => ({ n: ++n, runId: 'forged', at: 1e300, ...body });
    const error = { code: 'constructor', errorType: MARKUP, errorMessage: MARKUP, trace: [MARKUP], path: MARKUP, iteration: [1e300], thrown: wide };
    const flood = () => [
      event({ kind: 'run-started', tracing: 'observed', payload: wide, context: wide, startedAt: 1e300 }),
      event({ kind: 'step-started', step: n, parent: null, path: '/0', iteration: [], stepKind: 'function', name: MARKUP, settings: wide, changes: [{ path: '/__proto__/hacked', after: text }, { path: '/a'.repeat(50), after: deep }] }),
      ...Array.from({ length: 200 }, () => event({ kind: 'console', step: n, level: 'error', args: [wide, text] })),
      event({ kind: 'request-started', step: n, request: n, method: MARKUP, url: 'javascript:' + MARKUP }),
      event({ kind: 'step-ended', step: n, state: 'failed', error, changes: [{ path: '', after: wide }] }), { nonsense: MARKUP }, null,
      event({ kind: 'run-ended', state: 'failed', result: wide, resultBytes: 9e15, error, milliseconds: 1e300, resultText: 1 }),
    ];
    const state = () => ({ protocol: ${AGENT_PROTOCOL}, documentId: MARKUP, url: 'https://bank.example/', ready: true, platform: 'ready', platformDetail: MARKUP, tracing: 'observed', env: { appId: 7, taskId: 9, organizationId: 1, mode: MARKUP }, pipeline: { ok: true, steps: 1, handle: 1, bytes: 1 }, functions: [{ name: MARKUP, url: 'javascript:' + MARKUP }], canTraceAfterReload: true, run: null, lastSeq: n, fingerprint: String(states++) });
    const answers = { state, read: () => ({ documentId: MARKUP, events: flood(), lastSeq: n, dropped: 9e15, fingerprint: String(states++) }), start: () => ({ ok: true, events: [] }), stop: () => true, expand: () => deep, text: () => JSON.stringify(ENV.taskPipeline), call: () => ({ state: 'fulfilled', text: '[', length: 9e15 }), outcome: () => null };
    Object.defineProperty(window, 'platform-devtools.agent', { value: Object.freeze({ protocol: ${AGENT_PROTOCOL}, call(part, method, args) { keep(JSON.stringify(args)); return JSON.stringify(answers[method]()); }, status: () => JSON.stringify({ now: 1e300, isHeld: false, pausedStack: '    at ' + MARKUP + ' (https://forged.example/' + MARKUP + ':1:1)' }), registeredFunction: () => keep, watch() {} }) });`,
  shouts: `${DEBUG_PAGE} const shout = () => { for (const to of [window, top, parent, opener]) try { to && to.postMessage({ to: 'background', name: 'environments.list', source: 'platform-devtools', payload: MARKUP }, '*'); } catch {} };
    addEventListener('message', (event) => { if (event.source !== window) keep('answered: ' + JSON.stringify(event.data)); }); setInterval(shout, 5); for (const type of ['platform-devtools', 'platform-devtools.agent']) document.dispatchEvent(new CustomEvent(type, { detail: MARKUP })); `,
  /** Knows the extension’s id, which a real page would have to guess. */
  probes: `window.probe = async (id) => {
    const said = {};
    const tell = async (name, work) => { try { said[name] = String(await work()); } catch (error) { said[name] = String(error); } };
    await tell('runtime', () => typeof globalThis.chrome?.runtime + ' ' + typeof globalThis.browser);
    for (const path of ['manifest.json', 'icon/16.png', 'page-agent.js', 'options.html', 'panel.html', 'background.js']) await tell('fetch ' + path, async () => (await fetch('chrome-extension://' + id + '/' + path, { mode: 'no-cors' })).type);
    await tell('image', () => new Promise((done) => { const image = new Image(); image.onload = () => done('loaded'); image.onerror = () => done('error'); image.src = 'chrome-extension://' + id + '/icon/16.png'; }));
    await tell('script', () => new Promise((done) => { const script = document.createElement('script'); script.onload = () => done('loaded'); script.onerror = () => done('error'); script.src = 'chrome-extension://' + id + '/page-agent.js'; document.head.append(script); }));
    await tell('import', () => import('chrome-extension://' + id + '/page-agent.js'));
    for (const path of ['options.html', 'panel.html', 'popup.html']) await tell('frame ' + path, () => new Promise((done) => { const frame = document.createElement('iframe'); frame.onload = () => { try { done('loaded ' + frame.contentDocument?.title); } catch { done('loaded another origin'); } }; frame.src = 'chrome-extension://' + id + '/' + path; document.body.append(frame); }));
    await tell('timing', () => performance.getEntriesByType('resource').filter(({ name, transferSize, duration }) => name.startsWith('chrome-extension:') && transferSize > 0).length);
    return said;
  };`,
} as const;
export type HostilePage = keyof typeof HOSTILE_PAGES;

export type HostileServer = PageServer<HostilePage>;

export const startHostilePages = (): Promise<HostileServer> =>
  startPages((name) => {
    const script = (HOSTILE_PAGES as Record<string, string>)[name];
    return script === undefined
      ? undefined
      : {
          type: 'html',
          text: `<!doctype html><title>${name}</title><link rel="icon" href="data:,"><body><script>${KEEP}${MARK}${script}</script>`,
        };
  });
