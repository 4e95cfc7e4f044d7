/** Records what was thrown. */
import type { RecordedError } from './format.ts';
import { type Budget, writeValue } from './values.ts';

export function recordError(thrown: unknown, budget: Budget): RecordedError {
  if (!(thrown instanceof Error)) return { name: '', message: '', thrown: writeValue(thrown, budget) };
  const { name, message } = thrown;
  const { code, path, iteration } = thrown as { code?: unknown; path?: unknown; iteration?: unknown };
  return {
    name: String(name),
    message: String(message),
    ...(typeof code === 'string' && { code }),
    ...(typeof path === 'string' && { path }),
    ...(Array.isArray(iteration) && { iteration: iteration.map(Number) }),
  };
}
