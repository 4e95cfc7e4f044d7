/** Answers messages in the test, in place of the background worker. */
import { RestActions } from '../../lib/extension/panel/actions/backend/rest.ts';
import type { BackendOf } from '../../lib/extension/panel/actions/backend/types.ts';
import type { MessageName, Send } from '../../lib/extension/messaging/protocol.ts';

export type FakeWorker = (name: MessageName, takes: never, signal?: AbortSignal) => unknown;

/** @param respond returns what the worker would: a `Result`, or a part of one that is enough for the test */
export const fakeSend = (respond: FakeWorker): Send =>
  (async (name, takes, signal) => respond(name, takes as never, signal)) as Send;

export const overRest =
  (send: Send): BackendOf =>
  (app) =>
    new RestActions(send, app);
