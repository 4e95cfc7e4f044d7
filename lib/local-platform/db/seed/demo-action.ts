/** The type of demo actions, and helpers for writing them. */
import type { PipelineStep } from '../../../platform-api/index.ts';
import type { actions } from '../schema.ts';

export type NewAction = typeof actions.$inferInsert;

/** `age` in days. */
export type DemoAction = NewAction & { age: number };

export const MANUAL: Pick<NewAction, 'environment' | 'triggers'> = {
  environment: 'any',
  triggers: [{ trigger: 'manual' }],
};

export function step(name: string, settings: Record<string, unknown>, functions?: PipelineStep[]): PipelineStep {
  return { functionPackage: `com.platform.function.${name}`, settings, ...(functions && { functions }) };
}
