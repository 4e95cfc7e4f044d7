/** Pages that aren’t the local platform’s: other runtimes, broken ones, and hostile ones. */
import { compileUrl } from '../../../lib/platform-api/index.ts';
import {
  FOREIGN_RUNTIME_NAMES,
  FOREIGN_RUNTIMES,
  type ForeignRuntime,
  type ForeignRuntimeName,
  foreignRuntimePage,
} from './foreign-runtimes.ts';
import { type PageServer, startPages } from './page-server.ts';

const ENV =
  "window.ENV = { appId: 7, taskId: 9, organizationId: 1, mode: 'preview', taskPipeline: [{ functionPackage: 'com.example.function.greet', settings: { name: 'you' } }] };";

/** A page whose run executes `body`. */
const running = (body: string) => `${ENV} window.Platform = { App: { Actions: { Pipeline: { run() { ${body} } } } } };`;

/** Scripts of the pages by name. */
export const FOREIGN_PAGES = {
  /** Another installation’s runtime, which registers functions but has no observer. */
  runtime: `${ENV}
    ENV.taskPipeline = [
      { functionPackage: 'com.example.function.greet', settings: { name: 'you' } },
      { functionPackage: 'com.example.function.shout' },
    ];
    (() => {
      const functions = new Map();
      const run = async () => {
        const context = JSON.parse(new URLSearchParams(location.search).get('payload') || '{}');
        let result;
        for (const step of ENV.taskPipeline) result = (await functions.get(step.functionPackage)(step.settings || {}, context)) ?? result;
        return result;
      };
      window.Platform = { Functions: { register: (name, run) => functions.set(name, run) }, App: { Actions: { Pipeline: { run } } } };
    })();
    Platform.Functions.register('com.example.function.greet', (settings, context) => { context.greeting = 'hello ' + settings.name; });
    Platform.Functions.register('com.example.function.shout', (settings, context) => context.greeting.toUpperCase());`,
  /** A runtime under another namespace that only has `run()`. */
  bare: `${ENV} window.Acme = { App: { Actions: { Pipeline: { run: async () => 'bare result' } } } };`,

  'no-platform': ENV,
  'platform-is-a-string': `${ENV} window.Platform = 'not the platform';`,
  'platform-throws': `${ENV} Object.defineProperty(window, 'Platform', { get() { throw new Error('keep out'); } });`,
  'no-pipeline':
    "window.ENV = { appId: 7, taskId: 9 }; window.Platform = { App: { Actions: { Pipeline: { run: async () => 'no pipeline' } } } };",
  'ten-thousand-steps': `${running("return Promise.resolve('many')")} ENV.taskPipeline = Array.from({ length: 10000 }, (_, i) => ({ functionPackage: 'com.example.function.step' + i, settings: { i } }));`,
  'cyclic-pipeline': `${running("return Promise.resolve('cyclic')")} ENV.taskPipeline[0].functions = ENV.taskPipeline;`,
  'hostile-names': `${running('return Promise.resolve(\'<img src=x onerror="document.title=1">\')')}
    ENV.taskPipeline = [{ functionPackage: '<script>document.title = "owned"<\\/script>', settings: { '</script><img src=x onerror=alert(1)>': '\\u202e</script><script>alert(1)<\\/script>' } }];`,

  'never-ends': running('return new Promise(() => {})'),
  'busy-for-ever': running('for (;;);'),
  'navigates-away': running("location.href = '/no-platform'; return new Promise(() => {})"),
  reloads: running('location.reload(); return new Promise(() => {})'),
  'throws-a-string': running("throw 'just a string'"),
  'rejects-with-undefined': running('return Promise.reject()'),
  'returns-6-mb': running("return Promise.resolve('m'.repeat(6 * 1024 * 1024))"),
  'returns-a-function': running('return Promise.resolve(function answer() { return 42; })'),
  'returns-a-bigint': running('return Promise.resolve(12345678901234567890n)'),
  'returns-a-node': running('return Promise.resolve(document.body)'),
  'returns-a-cycle': running("const loop = { name: 'ring' }; loop.self = loop; return Promise.resolve(loop)"),
} as const;
export type ForeignPage = keyof typeof FOREIGN_PAGES;

export interface ForeignServer extends PageServer<ForeignPage> {
  /** URL of the debug page of an action on a platform with this runtime. */
  debugPage(runtime: ForeignRuntimeName): string;
}

/** Serves the pages, and debug pages of another installation. */
export async function startForeignPages(): Promise<ForeignServer> {
  const server = await startPages<ForeignPage>((path) => {
    if (path === 'v1/apps') return { type: 'json', text: JSON.stringify({ apps: [APP] }) };
    if (path === 'v1/apps/7/actions') return { type: 'json', text: '{"actions":[]}' };
    return debugPageFile(path) ?? file(path);
  });
  const taskOf = (runtime: ForeignRuntimeName): number => FOREIGN_RUNTIME_NAMES.indexOf(runtime) + 1;
  return { ...server, debugPage: (runtime) => compileUrl(server.origin, APP.id, taskOf(runtime)) };
}

const APP = {
  id: 7,
  name: 'Elsewhere',
  icon: 'https://icons.example/7.png',
  version: null,
  settings: {},
  releases: [],
  dependencies: [],
  slug: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  deletedAt: null,
  organizationId: 1,
  startingPageId: 1,
  productionAppId: null,
  appUser: { appRoleId: 1, appId: 7, userId: 1 },
};

type File = ReturnType<Parameters<typeof startPages>[0]>;

function debugPageFile(path: string): File {
  const [, task, name] = /^v1\/apps\/7\/tasks\/(\d+)\/(.+)$/.exec(path) ?? [];
  const runtime = FOREIGN_RUNTIME_NAMES[Number(task) - 1];
  if (!runtime || !name) return undefined;
  if (name === 'compile') return { type: 'html', text: foreignRuntimePage(runtime, `/v1/apps/7/tasks/${task}`) };
  const text = (FOREIGN_RUNTIMES[runtime] as ForeignRuntime).scripts[Number.parseInt(name, 10)];
  return text === undefined ? undefined : { type: 'javascript', text };
}

function file(path: string): File {
  const name = path.replace(/\.js$/, '');
  const script = (FOREIGN_PAGES as Record<string, string>)[name];
  if (script === undefined) return undefined;
  return path === name
    ? {
        type: 'html',
        text: `<!doctype html><meta charset="utf-8"><title>${name}</title><h1>${name}</h1><script src="/${name}.js"></script>`,
      }
    : { type: 'javascript', text: script };
}
