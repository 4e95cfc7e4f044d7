/** Pages that aren’t the local platform’s: other runtimes, broken ones, and hostile ones. */
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

export type ForeignServer = PageServer<ForeignPage>;

export const startForeignPages = (): Promise<ForeignServer> =>
  startPages((path) => {
    const name = path.replace(/\.js$/, '');
    const script = (FOREIGN_PAGES as Record<string, string>)[name];
    if (script === undefined) return undefined;
    return path === name
      ? {
          type: 'html',
          text: `<!doctype html><meta charset="utf-8"><title>${name}</title><h1>${name}</h1><script src="/${name}.js"></script>`,
        }
      : { type: 'javascript', text: script };
  });
