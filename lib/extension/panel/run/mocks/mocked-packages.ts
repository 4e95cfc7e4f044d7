/** Finds out before a run which steps and packages mocks will replace. */
import type { Mock } from '../../../../debugging/mocks/types.ts';
import { OUTGOING_PACKAGES, STAYING_PACKAGES } from '../../../../debugging/mocks/dry-run.ts';
import { plural } from '../../../../shared/format.ts';
import { outcomeText } from './mock-texts.ts';
import type { PipelineNode } from '../pipeline-tree.ts';

/** The mocks that can apply to a node, in the order in which they’re tried. */
function mocksFor({ path, package: of, kind }: PipelineNode, mocks: readonly Mock[]): Mock[] {
  if (kind === 'branch') return [];
  const ofPath = mocks.filter(({ target }) => 'path' in target && target.path === path);
  const ofPackage = mocks.filter(({ target }) => 'package' in target && target.package === of);
  return [...ofPath, ...ofPackage];
}

/** What the tree says of a step that has mocks. */
export interface ShownMock {
  text: string;
}

/** Each step that has mocks, by path: the one that is tried first, and how many others there are. */
export function mocksByPath(nodes: readonly PipelineNode[], mocks: readonly Mock[]): ReadonlyMap<string, ShownMock> {
  const found = new Map<string, ShownMock>();
  if (mocks.length === 0) return found;
  for (const node of nodes) {
    const [first, ...others] = mocksFor(node, mocks);
    if (!first) continue;
    const condition = first.condition === undefined ? '' : ` if ${first.condition}`;
    const rest = others.length > 0 && condition ? `, or ${plural(others.length, 'other mock')}` : '';
    found.set(node.path, { text: `${outcomeText(first)}${condition}${rest}` });
  }
  return found;
}

/** Whether the function of a step is never called, whatever conditions say. */
function isReplaced(node: PipelineNode, mocks: readonly Mock[]): boolean {
  for (const { condition, outcome } of mocksFor(node, mocks)) {
    if (!outcome) return false;
    if (condition === undefined) return true;
  }
  return false;
}

/** The packages of a pipeline, each once: those that mocks always replace, and those that can be called. */
export function packagesIn(
  nodes: readonly PipelineNode[],
  mocks: readonly Mock[],
): { replaced: string[]; called: string[] } {
  const all = new Set<string>();
  const called = new Set<string>();
  for (const node of nodes) {
    if (node.package === null) continue;
    all.add(node.package);
    if (!isReplaced(node, mocks)) called.add(node.package);
  }
  return {
    replaced: [...all].filter((name) => !called.has(name)),
    called: [...all].filter((name) => called.has(name)),
  };
}

export { OUTGOING_PACKAGES, STAYING_PACKAGES };

/** What *Dry run* mocks: the platform’s packages that leave the page, and those that the user has marked. */
export const leavingPackages = (marked: readonly string[]): string[] => [...new Set([...OUTGOING_PACKAGES, ...marked])];
