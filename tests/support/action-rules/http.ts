/** Calls the operations of the JavaScript API as REST requests. */
import type { ActionsApi } from '../../../lib/actions/actions.ts';
import type { Action, FunctionDescriptor, LogList } from '../../../lib/platform-api/index.ts';
import type { Platform } from '../../../lib/local-platform/index.ts';
import { APP, askPlatform, type Driver } from './rule.ts';

export function httpDriver(platform: Platform): Driver {
  const ask = askPlatform(platform);
  const at = (idOrName: unknown, rest = ''): string =>
    `apps/${APP}/actions/${encodeURIComponent(String(idOrName))}${rest}?by=${typeof idOrName === 'number' ? 'id' : 'name'}`;
  const action = async (response: Promise<unknown>): Promise<Action> => ((await response) as { action: Action }).action;

  const operations = (mode: 'preview' | 'live'): ActionsApi => ({
    create: (properties) => action(ask('POST', `apps/${APP}/actions`, properties)),
    async run(name, payload = {}) {
      await ask('POST', at(name, '/run'), { payload, mode });
    },
    runWithResult: async (name, payload = {}) =>
      ((await ask('POST', at(name, '/run-with-result'), { payload, mode })) as { result: unknown }).result,
    update: (idOrName, properties) => action(ask('PUT', at(idOrName), properties)),
    async remove(idOrName) {
      await ask('DELETE', at(idOrName));
    },
    publish: (id, publish) =>
      action(ask('POST', `apps/${APP}/actions/${encodeURIComponent(String(id))}/publish`, { publish })),
    get: async () => ((await ask('GET', `apps/${APP}/actions`)) as { actions: Action[] }).actions,
    async getLogs(options = {}) {
      const query = Object.entries(options).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]);
      return (await ask('GET', `apps/${APP}/logs?${new URLSearchParams(query)}`)) as LogList;
    },
  });
  return {
    actions: operations('preview'),
    live: operations('live'),
    functions: async () => ((await ask('GET', 'functions')) as { functions: FunctionDescriptor[] }).functions,
  };
}
