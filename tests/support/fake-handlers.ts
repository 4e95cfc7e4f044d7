/** Handlers of the background worker that reject every message, except those that a test defines. */
import type { Handlers } from '../../lib/extension/messaging/receive.ts';
import { RULES } from '../../lib/extension/messaging/rules.ts';

const unexpected = (): Promise<never> => Promise.reject(new Error('This test expects no such message.'));

export const fakeHandlers = (defined: Partial<Handlers> = {}, other = unexpected): Handlers => ({
  ...(Object.fromEntries(Object.keys(RULES).map((name) => [name, other])) as unknown as Handlers),
  ...defined,
});
