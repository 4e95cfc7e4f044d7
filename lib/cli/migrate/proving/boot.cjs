/**
 * Runs inside the process that proves code: takes Node’s own objects away, and runs the job. Node’s permission model
 * refuses files, processes, and workers. Where the system has a sandbox, there is no network, either.
 */
'use strict';
const { Script } = require('node:vm');

const { stdin, stdout } = process;
const { setImmediate } = globalThis;
const exit = process.exit.bind(process);
const { parse, stringify } = JSON;

// Code that nothing waits for can fail.
process.on('unhandledRejection', () => {});

const compile = (source) => new Script(source, { filename: 'action.v3.js' }).runInThisContext();
// Nothing is left to do. The work that the listener starts needs the process, which would end.
let idle = null;
process.on('beforeExit', () => {
  if (idle) setImmediate(idle);
  idle = null;
});
const whenIdle = (listener) => void (idle = listener);

const respond = (response) => stdout.write(stringify(response), () => exit(0));

let text = '';
stdin.setEncoding('utf8');
stdin.on('data', (chunk) => (text += chunk));
stdin.on('end', () => {
  const { script, job } = parse(text);
  const { run } = compile(script);
  for (const name of ['process', 'require', 'module', 'exports', 'fetch', 'WebSocket', 'WebAssembly'])
    delete globalThis[name];
  run(job, { compile, whenIdle }).then(
    (value) => respond({ value }),
    (error) => respond({ error: String(error?.stack ?? error) }),
  );
});
