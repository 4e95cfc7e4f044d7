/** Why an `if` took its branch, as its details say: from the recording, or from the trace as far as values are known. */
import { describe, expect, it } from 'vitest';
import type { ShownRun } from '../../../../../../lib/extension/panel/run/runs.ts';
import { pipelineNodes, type PipelineNode } from '../../../../../../lib/extension/panel/run/pipeline-tree.ts';
import { explainBlocks, type ShownWhy, whyOfStep } from '../../../../../../lib/extension/panel/run/why/step-why.ts';
import {
  missingTexts,
  openParts,
  valueOf,
  whyBlocks,
} from '../../../../../../lib/extension/panel/run/why/why-blocks.ts';
import type { Pipeline } from '../../../../../../lib/pipeline/index.ts';
import { recordedRun, when } from './recorded-run.ts';

const nodeOf = (pipeline: Pipeline, path = '/0'): PipelineNode | undefined =>
  pipelineNodes(pipeline).find((node) => node.path === path);
const stepOf = ({ trace }: ShownRun, path = '/0') => trace.order.find((step) => step.path === path)!;
const states = ({ why }: ShownWhy) => (why.state === 'evaluated' ? why.conditions.map(({ state }) => state) : why);
const blocksOf = ({ why, sources, hasElse }: ShownWhy) =>
  whyBlocks(why.state === 'evaluated' ? why.conditions : [], sources, hasElse).map(
    ({ label, source, result }) => `${label} ${source}: ${result.text}`,
  );

describe('an if of a run with a recording', () => {
  it('shows every block: those that were evaluated, and those that an earlier one decided', async () => {
    const pipeline = [when('records.length > 5', 'records.length', 'never')];
    const { run, recording } = await recordedRun(pipeline);
    const shown = await whyOfStep(recording, run.trace, stepOf(run), undefined);
    expect(shown.from).toBe('recording');
    expect(blocksOf(shown)).toEqual([
      'when records.length > 5: false',
      'or when records.length: true',
      'or when never: not evaluated',
      'else null: didn’t run',
    ]);
  });

  it('names the exact part that failed, the missing key, and what was probably meant', async () => {
    const { run, recording } = await recordedRun([when("records[0].data.emial.includes('@') || true")]);
    const shown = await whyOfStep(recording, run.trace, stepOf(run), undefined);
    expect(states(shown)).toEqual(['failed']);
    const [why] = shown.why.state === 'evaluated' ? shown.why.conditions : [];
    expect(missingTexts(why!)).toEqual(['records[0].data.emial is undefined. Did you mean “email”?']);
    expect(why).toMatchObject({ failed: { text: "records[0].data.emial.includes('@')", missing: { key: 'emial' } } });
  });

  it('says that the branch was forced, and by what', async () => {
    const observer = {
      before: ({ kind }: { kind: string }) => (kind === 'if' ? { branch: 'else' as const, by: 'debugger' } : undefined),
    };
    const { run, recording } = await recordedRun([when('true')], { observer });
    const shown = await whyOfStep(recording, run.trace, stepOf(run), undefined);
    expect(shown.why).toEqual({ state: 'forced', by: 'debugger', branch: 'else' });
  });
});

describe('an if of a run without a recording', () => {
  const explain = async (pipeline: Pipeline, node = nodeOf(pipeline)) => {
    const { run } = await recordedRun(pipeline);
    return whyOfStep(null, run.trace, stepOf(run), node);
  };

  it('is explained from the trace', async () => {
    const shown = await explain([when('records.length > 5', 'records[0].data.Admin')]);
    expect(shown.from).toBe('trace');
    expect(blocksOf(shown)).toEqual([
      'when records.length > 5: false',
      'or when records[0].data.Admin: true',
      'else null: didn’t run',
    ]);
  });

  it('says that the conditions have changed if they’d have decided otherwise', async () => {
    const shown = await explain([when('records.length > 5')], nodeOf([when('records.length > 1')]));
    expect(shown.why).toEqual({ state: 'unknown', why: 'The conditions have changed since this run.' });
  });

  it('says that the page’s pipeline no longer has the step', async () => {
    const { why } = await explain([when('true')], nodeOf([{ function: 'note' }]));
    expect(why).toEqual({ state: 'unknown', why: 'The page’s pipeline no longer has this step.' });
  });

  it('knows nothing of times and random numbers', async () => {
    expect(states(await explain([when('Math.random() < 2')]))).toEqual(['unknown']);
  });

  it('is evaluated up to the condition that decides, and says which are invalid or functions', () => {
    const context = { a: 1 };
    const found = (conditions: unknown[], branch?: number) =>
      explainBlocks(conditions, context, branch).map(({ state }) => state);
    expect(found(['a > 1', 'a', 'never'])).toEqual(['false', 'true']);
    expect(found(['a.b.c', 'a'])).toEqual(['failed']);
    expect(found(['a ===', null, 'a'], 1)).toEqual(['invalid', 'function']);
  });
});

describe('the blocks', () => {
  it('say that else ran only if no condition was true', () => {
    const [isFalse] = explainBlocks(['a'], { a: 0 });
    const [isTrue] = explainBlocks(['a'], { a: 1 });
    expect(whyBlocks([isFalse!], ['a'], true).at(-1)?.result).toEqual({
      text: 'no condition was true',
      tone: 'success',
    });
    expect(whyBlocks([isTrue!], ['a'], true).at(-1)?.result.text).toBe('didn’t run');
    expect(whyBlocks([isTrue!], ['a'], false)).toHaveLength(1);
  });

  it('name the source of a condition whose pipeline isn’t known', () => {
    expect(whyBlocks(explainBlocks(['a > 1'], { a: 1 }), [], false)).toMatchObject([
      { label: 'when', source: 'a > 1' },
    ]);
  });

  it('list the parts that aren’t below a collapsed one', () => {
    const [why] = explainBlocks(['a.b > 1 && c'], { a: { b: 2 }, c: 1 });
    const rows = why && 'rows' in why ? why.rows : [];
    const texts = (...collapsed: number[]) => openParts(rows, new Set(collapsed)).map(({ text }) => text);
    expect(texts()).toEqual(['a.b > 1 && c', 'a.b > 1', 'a.b', 'a', 'c']);
    expect(texts(1)).toEqual(['a.b > 1 && c', 'a.b > 1', 'c']);
    expect(texts(0, 1)).toEqual(['a.b > 1 && c']);
    expect(valueOf(rows[2]!)).toEqual({ t: 'number', v: 2 });
  });

  it('have no texts of what is missing in a condition without parts', () => {
    expect(missingTexts({ state: 'function' })).toEqual([]);
    const [why] = explainBlocks(['a.nme == b || a.nme'], { a: { name: 1 }, b: 2 });
    expect(missingTexts(why!)).toEqual(['a.nme is undefined. Did you mean “name”?']);
  });
});
