/**
 * Runtimes of other installations, each written differently. All of them offer what the specification shows
 * (`Pipeline.run()`), register functions with `Functions.register(package, fn)`, and have no observer.
 */

/** The result of a run without a payload. */
export const FOREIGN_RESULT = 'HELLO YOU';
export const FOREIGN_FUNCTIONS = [
  'com.example.function.greet',
  'com.example.function.hold',
  'com.example.function.shout',
];

const ENV = `globalThis.ENV = { appId: 7, taskId: 9, organizationId: 1, mode: 'preview', taskPipeline: [
  { functionPackage: 'com.example.function.greet', settings: { name: 'you' } },
  { functionPackage: 'com.example.function.hold' },
  { functionPackage: 'com.example.function.shout' },
] };`;

/** Runs `ENV.taskPipeline`, an array or a JSON string, with functions that `find` looks up. */
const RUNNER = `
  const runPipeline = async (find) => {
    const context = JSON.parse(new URLSearchParams(location.search).get('payload') || '{}');
    const pipeline = typeof ENV.taskPipeline === 'string' ? JSON.parse(ENV.taskPipeline) : ENV.taskPipeline;
    let result;
    for (const step of pipeline) result = (await find(step.functionPackage)(step.settings || {}, context)) ?? result;
    return result;
  };`;

/**
 * With `hold` in the payload, a run waits until the page calls `release()`. The document has the last
 * function’s stack.
 */
const REGISTER = `
  Platform.Functions.register('com.example.function.greet', (settings, context) => { context.greeting = 'hello ' + settings.name; });
  Platform.Functions.register('com.example.function.hold', (settings, context) => context.hold && new Promise((go) => { globalThis.release = () => go(); }));
  Platform.Functions.register('com.example.function.shout', (settings, context) => { document.documentElement.dataset.stack = new Error().stack; return context.greeting.toUpperCase(); });`;

export interface ForeignRuntime {
  /** The page’s scripts, in order. */
  scripts: string[];
  type: 'classic' | 'module';
}

const classic = (...scripts: string[]): ForeignRuntime => ({ type: 'classic', scripts: [ENV, ...scripts] });

const OBJECT = `{ ${RUNNER}
  window.Platform = {
    Functions: { all: {}, register(name, fn) { this.all[name] = fn; } },
    App: { Actions: { Pipeline: { run: () => runPipeline((name) => Platform.Functions.all[name]) } } },
  }; }`;

export const FOREIGN_RUNTIMES = {
  object: classic(OBJECT, REGISTER),
  map: classic(
    `var Platform = Platform || {};
    (function (P) { ${RUNNER}
      const functions = new Map();
      P.Functions = P.Functions || {};
      P.Functions.register = (name, fn) => void functions.set(name, fn);
      P.Functions.get = (name) => functions.get(name);
      P.App = { Actions: { Pipeline: { run: () => runPipeline((name) => functions.get(name)) } } };
    })(Platform);`,
    REGISTER,
  ),
  class: classic(
    `{ ${RUNNER}
      class Functions {
        #all = new Map();
        register(name, fn) { this.#all.set(name, fn); return this; }
        find(name) { return this.#all.get(name); }
      }
      class Runtime {
        #functions = new Functions();
        get Functions() { return this.#functions; }
        App = { Actions: { Pipeline: { run: () => runPipeline((name) => this.#functions.find(name)) } } };
      }
      window.Platform = new Runtime(); }`,
    REGISTER,
  ),
  modules: {
    type: 'module',
    scripts: [
      `${ENV} ${RUNNER}
      const all = new Map();
      const platform = {
        Functions: { register(name, fn) { all.set(name, fn); } },
        App: { Actions: { Pipeline: { run: () => runPipeline((name) => all.get(name)) } } },
      };
      globalThis.Platform = platform;`,
      REGISTER,
    ],
  },
  frozen: classic(
    `window.Platform = (() => { ${RUNNER}
      const functions = Object.create(null);
      return Object.freeze({
        Functions: Object.freeze({ register(name, fn) { functions[name] = Object.freeze(fn); } }),
        App: Object.freeze({ Actions: Object.freeze({ Pipeline: Object.freeze({ run: () => runPipeline((name) => functions[name]) }) }) }),
      });
    })();`,
    REGISTER,
  ),
  constant: classic(
    `const Platform = (() => { ${RUNNER}
      const functions = {};
      return {
        Functions: { register(name, fn) { functions[name] = fn; } },
        App: { Actions: { Pipeline: { run: () => runPipeline((name) => functions[name]) } } },
      };
    })();`,
    REGISTER,
  ),
  late: classic(
    `window.addEventListener('load', () => setTimeout(() => { ${OBJECT} setTimeout(() => { ${REGISTER} globalThis.isRegistered = true; }, 20); }, 20));`,
  ),
} satisfies Record<string, ForeignRuntime>;
export type ForeignRuntimeName = keyof typeof FOREIGN_RUNTIMES;
export const FOREIGN_RUNTIME_NAMES = Object.keys(FOREIGN_RUNTIMES) as ForeignRuntimeName[];

/** The page with a runtime. Its scripts are files beside `path`. */
export function foreignRuntimePage(name: ForeignRuntimeName, path: string): string {
  const { scripts, type }: ForeignRuntime = FOREIGN_RUNTIMES[name];
  const tags = scripts.map(
    (_script, index) => `<script${type === 'module' ? ' type="module"' : ''} src="${path}/${index}.js"></script>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>${name}</title><h1>${name}</h1>${tags.join('')}`;
}
