/** Rebuilds the context at a step by applying changes, as the panel does. */
import type { AgentEvent, Change, RemoteValue } from '../../../../../lib/extension/inspector/contract.ts';

/** A description as the value that it describes; undefined stays undefined. */
export function valueOf(reported: RemoteValue): unknown {
  switch (reported.t) {
    case 'null':
      return null;
    case 'undefined':
      return undefined;
    case 'array':
      return reported.items.map(valueOf);
    case 'object':
      return Object.fromEntries(reported.entries.map(([key, item]) => [key, valueOf(item)]));
    case 'number':
      return Number(reported.v);
    case 'string':
    case 'boolean':
      return reported.v;
    default:
      return `<${reported.t}>`;
  }
}

export function applyChanges(context: unknown, changes: readonly Change[]): unknown {
  const root = { '': structuredClone(context) } as Record<string, unknown>;
  for (const { path, after } of changes) {
    const parts = ['', ...path.split('/').slice(1)].map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = parts.pop()!;
    let holder = root;
    for (const part of parts) holder = holder[part] as Record<string, unknown>;
    if (after) holder[key] = valueOf(after);
    else if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  }
  return root[''];
}

/** The context after the last event. */
export function contextAtEnd(events: readonly AgentEvent[]): unknown {
  let context: unknown;
  for (const event of events) {
    if (event.kind === 'run-started') context = valueOf(event.context);
    if (event.kind === 'step-started' || event.kind === 'step-ended')
      context = applyChanges(context, event.changes ?? []);
  }
  return context;
}
