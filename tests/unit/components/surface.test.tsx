// @vitest-environment happy-dom
/** The frame of a surface: what is shown instead of a view that fails, and after a change of the time zone. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { cleanup, fireEvent, render, screen } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Boundary, DateTime, Splitter, Surface, Tabs } from '../../../components/ui/index.ts';
import { restoreLocalZone, setLocalZone } from '../../support/local-zone.ts';

let failure: Error | null;
beforeEach(() => {
  failure = null;
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  restoreLocalZone();
});

function View({ name }: { name: string }) {
  if (failure) throw failure;
  return <p>{name}</p>;
}
const alerts = () => screen.queryAllByRole('alert').map(({ dataset }) => dataset['code']);
const text = () => document.body.textContent;

describe('the text of a view', () => {
  it('shows invisible characters as escapes, in elements, fragments, components, options, and tooltips', () => {
    const name = 'E\u200bU\u202e';
    render(
      <Surface name="panel">
        <View name={name} />
        <>
          {name}
          {[name, [name]]}
        </>
        <Boundary>{name}</Boundary>
        <select>
          <option value={name} title={name}>
            {name}
          </option>
        </select>
        <input value={name} placeholder={name} aria-label={name} />
      </Surface>,
    );
    const shown = String.raw`E\u200bU\u202e`;
    expect(text()).toBe(shown.repeat(6));
    expect(screen.getByTitle(shown)).toHaveProperty('value', name);
    expect(screen.getByLabelText(shown)).toMatchObject({ value: name, placeholder: shown });
  });

  it('keeps its lines, tabs, and emoji', () => {
    render(
      <Surface name="panel">
        <pre>{'a\r\n\tb 👩\u200d💻'}</pre>
      </Surface>,
    );
    expect(text()).toBe('a\r\n\tb 👩\u200d💻');
  });
});

describe('a view that fails', () => {
  it('shows its error, what has been done, and its code, and can be tried again', () => {
    failure = new Error('Invalid time zone specified: Foo/Bar.');
    render(
      <Surface name="popup" done={() => 'Published version 6 of Field Service.'}>
        <View name="outcome" />
      </Surface>,
    );
    expect(alerts()).toEqual(['VIEW_FAILED']);
    expect(text()).toContain('Couldn’t show this view: Invalid time zone specified: Foo/Bar.');
    expect(text()).toContain('Published version 6 of Field Service.');
    failure = null;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect([alerts(), text()]).toEqual([[], 'outcome']);
  });

  it('leaves its siblings as they are also if the error’s message isn’t text', () => {
    failure = Object.assign(new Error(), { message: undefined }) as never;
    render(
      <Surface name="panel">
        <p>sibling</p>
        <Boundary of="view">
          <View name="" />
        </Boundary>
      </Surface>,
    );
    expect(alerts()).toEqual(['VIEW_FAILED']);
    expect(text()).toContain('sibling');
  });

  it('can be copied with its code, surface, and place in the code', async () => {
    failure = new TypeError('x is undefined');
    const writeText = vi.fn(() => Promise.resolve());
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText } as never);
    document.execCommand = () => false;
    render(
      <Surface name="panel">
        <View name="" />
      </Surface>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Copy the error' }));
    await screen.findByText('Copied');
    expect(writeText.mock.calls).toEqual([
      [expect.stringMatching(/^VIEW_FAILED \(panel\)\nCouldn’t show [^]*surface\.test\.tsx:/)],
    ]);
  });

  it('leaves the other pane and the other tabs as they are', () => {
    function Page(_props: { time: number }) {
      const [tab, setTab] = useState<'a' | 'b'>('a');
      const tabs = [
        { id: 'a' as const, label: 'A' },
        { id: 'b' as const, label: 'B' },
      ];
      const shown = tab === 'a' ? <Split /> : <p>second tab</p>;
      return (
        <Tabs label="Tabs" tabs={tabs} selected={tab} onSelect={setTab}>
          {failure?.name === 'TypeError' ? <View name="" /> : shown}
        </Tabs>
      );
    }
    const Split = () => (
      <Splitter label="Resize" direction="columns" share={50}>
        <p>left</p>
        <View name="right" />
      </Splitter>
    );
    failure = new Error('no');
    const { rerender } = render(<Page time={1} />);
    expect(alerts()).toEqual(['VIEW_FAILED']);
    expect(text()).toContain('left');
    failure = new TypeError('no');
    rerender(<Page time={2} />);
    expect(alerts()).toEqual(['VIEW_FAILED']);
    expect(text()).not.toContain('left');
    failure = null;
    fireEvent.click(screen.getByRole('tab', { name: 'B' }));
    expect([alerts(), screen.getByRole('tabpanel').textContent]).toEqual([[], 'second tab']);
  });

  it('says nothing about what was done if even that fails, and names no cause that it doesn’t have', () => {
    failure = new Error('');
    const done = (): string => {
      throw new Error('again');
    };
    render(
      <Surface name="popup" done={done}>
        <Boundary>
          <View name="" />
        </Boundary>
      </Surface>,
    );
    expect(text()).toContain('Couldn’t show this view: an unexpected error.');
  });
});

it('a change of the time zone shows all times anew, without a change of anything else', () => {
  setLocalZone('Asia/Kolkata');
  const at = Date.UTC(2026, 10, 23, 0, 5);
  const Time = () => <DateTime at={at} now={at} />;
  render(
    <Surface name="panel">
      <Time />
    </Surface>,
  );
  fireEvent.focus(window);
  expect(text()).toBe('Mon 23 Nov 05:35');
  setLocalZone('Etc/Unknown');
  fireEvent.focus(window);
  expect(text()).toBe('Mon 23 Nov 00:05 UTC');
});

it('keys of an input method don’t reach a surface’s handlers', () => {
  const heard: string[] = [];
  render(
    <Surface name="panel">
      <input aria-label="URL" onKeyDown={({ key }) => void heard.push(key)} />
    </Surface>,
  );
  fireEvent.keyDown(screen.getByLabelText('URL'), { key: 'Enter', isComposing: true });
  fireEvent.keyDown(screen.getByLabelText('URL'), { key: 'a' });
  expect(heard).toEqual(['a']);
});

it.each(['app', 'options', 'panel', 'popup'])(
  'the page %s is in a surface, so that it never stays blank',
  async (name) => {
    const root = resolve(import.meta.dirname, '../../..');
    const main = await readFile(`${root}/entrypoints/${name}/main.tsx`, 'utf8');
    const view = /render\(\s*<(\w+)/.exec(main)?.[1];
    const path = new RegExp(`import \\{ ${view} \\} from '../../(.*)'`).exec(main)?.[1];
    const text = await readFile(`${root}/${path}`, 'utf8');
    expect(text.slice(text.indexOf(`function ${view}(`))).toMatch(/^.*\{\n {2}return \(\n {4}<Surface name="/);
  },
);
