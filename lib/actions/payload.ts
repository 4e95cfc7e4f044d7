/** Owns reading a run's payload from the page's address. */
import { describeValue, pipelineError } from '../pipeline/errors.ts';

/** @throws PipelineError `PAYLOAD_INVALID` unless the parameter `payload` is absent or a JSON object */
export function readPayload(query: string): Record<string, unknown> {
  const text = new URLSearchParams(query).get('payload');
  if (text === null) return {};
  let payload: unknown;
  try {
    payload = JSON.parse(text);
  } catch (error) {
    throw pipelineError('PAYLOAD_INVALID', `The payload is not valid JSON: ${(error as Error).message}`, {
      cause: error,
    });
  }
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    throw pipelineError('PAYLOAD_INVALID', `The payload must be a JSON object; it is ${describeValue(payload)}.`);
  }
  return payload as Record<string, unknown>;
}
