/** Compares the engine’s types with those of the platform. `npm run check` fails when they differ. */
import { expect, expectTypeOf, test } from 'vitest';
import * as v from 'valibot';
import type * as engine from '../../../lib/pipeline/index.ts';
import { NewAction, type ActionChange } from '../../../lib/platform-api/actions/input.ts';
import type * as platform from '../../../lib/platform-api/action.ts';
import { ERROR_CODES } from '../../../lib/platform-api/error-codes.ts';

test('the engine’s types of steps are those of the platform’s actions', () => {
  expectTypeOf<engine.Pipeline>().toEqualTypeOf<platform.Pipeline>();
  expectTypeOf<engine.PipelineStep>().toEqualTypeOf<platform.PipelineStep>();
  expectTypeOf<engine.ConditionBlock>().toEqualTypeOf<platform.ConditionBlock>();
});

// The schemas leave steps to the engine, which validates them.
test('the schemas of actions accept every pipeline, and the engine takes all that they accept', () => {
  expectTypeOf<engine.Pipeline>().toExtend<NonNullable<v.InferInput<typeof NewAction>['functions']>>();
  type Accepted = platform.Action['functions'] | platform.PublishedAction['functions'];
  expectTypeOf<Accepted>().toEqualTypeOf<unknown[]>();
  expectTypeOf<NonNullable<ActionChange['functions']>>().toEqualTypeOf<unknown[]>();
  expectTypeOf<Accepted>().toExtend<Parameters<typeof engine.runPipeline>[0]>();
});

test('the schemas of actions leave a pipeline unchanged', () => {
  const functions: engine.Pipeline = [
    {
      functionPackage: 'a',
      settings: { b: [1, { c: null }] },
      functions: [{ type: 'loop', range: { from: 1, to: 2 } }],
    },
    { type: 'if', conditions: [{ condition: 'x', functions: [] }], elseFunctions: [] },
  ];
  expect(v.parse(NewAction, { name: 'a', functions }).functions).toEqual(functions);
});

test('the error reference has every code of the engine', () => {
  const codes: Record<engine.PipelineErrorCode | engine.Problem['code'], true> = {
    ABORTED: true,
    CONDITION_FAILED: true,
    CYCLE: true,
    INVALID_CONDITION: true,
    INVALID_FIELD: true,
    INVALID_ITEMS: true,
    INVALID_RANGE: true,
    INVALID_SETTINGS: true,
    LOOP_ITEMS_INVALID: true,
    LOOP_SOURCE: true,
    MISSING_PACKAGE: true,
    NOT_AN_ARRAY: true,
    NOT_AN_OBJECT: true,
    PAYLOAD_INVALID: true,
    PIPELINE_INVALID: true,
    STEP_FAILED: true,
    TOO_DEEP: true,
    TOO_LARGE: true,
    UNKNOWN_PACKAGE: true,
    UNKNOWN_TYPE: true,
  };
  expect(Object.keys(ERROR_CODES.pipeline).toSorted()).toEqual(Object.keys(codes));
});
