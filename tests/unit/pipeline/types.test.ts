/** Compares the engine’s types of pipelines with those of the platform’s actions; `npm run check` fails when they differ. */
import { expectTypeOf, test } from 'vitest';
import type * as engine from '../../../lib/pipeline/index.ts';
import type * as platform from '../../../lib/platform-api/action.ts';

test('the engine runs exactly the pipelines that actions have', () => {
  expectTypeOf<engine.Pipeline>().toEqualTypeOf<platform.Pipeline>();
  expectTypeOf<engine.PipelineStep>().toEqualTypeOf<platform.PipelineStep>();
  expectTypeOf<engine.ConditionBlock>().toEqualTypeOf<platform.ConditionBlock>();
});
