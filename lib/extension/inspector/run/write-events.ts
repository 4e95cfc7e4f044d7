/** Writes run events in their compact form, which `createEventReader` reads. */
import type { CompactValue } from '../compact-value.ts';
import type { AgentEvent, Change, RemoteValue } from '../contract.ts';
import {
  type CompactChange,
  type CompactEvent,
  type Definition,
  ENDED,
  STARTED,
  STEP_KINDS,
  STEP_STATES,
  type StepRest,
} from './event-format.ts';

type Started = Extract<AgentEvent, { kind: 'step-started' }>;
type Ended = Extract<AgentEvent, { kind: 'step-ended' }>;

/** Returns a function that converts the events of one list, in order. */
export function createEventWriter(): (event: AgentEvent) => CompactEvent {
  /** Steps share their settings if they share their definition. */
  const definitions = new Map<RemoteValue, Definition[]>();
  let count = 0;

  function definitionOf({ path, stepKind, name, settings }: Started): number | Definition {
    const kind = STEP_KINDS.indexOf(stepKind);
    const known = definitions.get(settings) ?? [];
    const found = known.find(
      (definition) => definition[1] === path && definition[2] === kind && definition[3] === name,
    );
    if (found) return found[0];
    const definition: Definition = [++count, path, kind, name, compactValue(settings)];
    definitions.set(settings, [...known, definition]);
    return definition;
  }

  return (event) => {
    if (event.kind === 'step-started') {
      const { n, step, at, parent, iteration, changes = [] } = event;
      const definition = definitionOf(event);
      return [STARTED, n, step, microseconds(at), parent ?? 0, definition, iteration, changes.map(compactChange)];
    }
    if (event.kind !== 'step-ended') return event;
    const { n, step, at, state, changes } = event;
    const rest = restOf(event);
    const end = [STEP_STATES.indexOf(state), changes.map(compactChange)] as const;
    return rest ? [ENDED, n, step, microseconds(at), ...end, rest] : [ENDED, n, step, microseconds(at), ...end];
  };
}

function restOf({ value, error, iterations, branch, replaced, shallow }: Ended): StepRest | undefined {
  const rest = { value: value && compactValue(value), error, iterations, branch, replaced, shallow };
  return Object.values(rest).every((each) => each === undefined || each === false) ? undefined : rest;
}

function compactChange({ path, before, after }: Change): CompactChange {
  return [path, before ? compactValue(before) : [], after ? compactValue(after) : []];
}

function compactValue(value: RemoteValue): CompactValue {
  switch (value.t) {
    case 'null':
      return null;
    case 'boolean':
      return value.v;
    case 'number':
      return typeof value.v === 'number' ? value.v : value;
    case 'string':
      return value.handle === undefined && value.v.length === value.length ? value.v : value;
    case 'array':
      return value.handle === undefined && value.items.length === value.length
        ? { a: value.items.map(compactValue) }
        : value;
    case 'object':
      return value.handle === undefined && value.name === undefined && value.entries.length === value.size
        ? { o: value.entries.flatMap(([name, item]) => [name, compactValue(item)]) }
        : value;
    default:
      return value;
  }
}

const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000);
