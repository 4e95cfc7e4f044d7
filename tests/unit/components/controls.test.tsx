// @vitest-environment happy-dom
/** Uses the shared controls with keyboard and screen reader. */
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/preact';
import { useState } from 'preact/hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { Alert, Button, Combobox, Meter, Splitter, Tabs } from '../../../components/ui/index.ts';
import { matchOptions } from '../../../components/ui/match-options.ts';
import { ValueTree } from '../../../components/panel/shared/value-tree.tsx';
import { remote } from '../extension/panel/run/remote.ts';

afterEach(cleanup);

const APPS = [
  { value: '1', label: 'Field Service' },
  { value: '2', label: 'Visitor Desk', hint: 'front' },
  { value: '3', label: 'Service Desk' },
];
function Apps({ picked }: { picked: string[] }) {
  const [value, setValue] = useState<string | null>(null);
  return (
    <Combobox
      name="app"
      label="App"
      options={APPS}
      value={value}
      onPick={(next) => {
        picked.push(next);
        setValue(next);
      }}
    />
  );
}
const box = () => screen.getByRole<HTMLInputElement>('combobox');
const type = (text: string) => fireEvent.input(box(), { target: { value: text } });
const key = (name: string) => fireEvent.keyDown(box(), { key: name });
const shown = () => screen.queryAllByRole('option').map((option) => option.textContent);

describe('a combobox', () => {
  it('filters its list by typed text, and picks with Enter', () => {
    const picked: string[] = [];
    render(<Apps picked={picked} />);
    type('desk');
    expect(shown()).toEqual(['Visitor Deskfront', 'Service Desk']);
    key('ArrowDown');
    key('Enter');
    expect(picked).toEqual(['3']);
    expect(box().value).toBe('Service Desk');
    expect(box().getAttribute('aria-expanded')).toBe('false');
  });

  it('reports Enter after picking, and again when its list is closed, but leaves Ctrl+Enter to the page', () => {
    const heard: string[] = [];
    const onPageKey = ({ ctrlKey, defaultPrevented }: KeyboardEvent): void =>
      void (ctrlKey && !defaultPrevented && heard.push('Ctrl+Enter'));
    document.addEventListener('keydown', onPageKey);
    const onPick = (value: string): void => void heard.push(value);
    render(
      <Combobox name="app" label="App" options={APPS} value="1" onPick={onPick} onEnter={() => heard.push('Enter')} />,
    );
    type('service desk');
    key('Enter');
    key('Enter');
    type('visitor');
    fireEvent.keyDown(box(), { key: 'Enter', ctrlKey: true });
    document.removeEventListener('keydown', onPageKey);
    expect(heard).toEqual(['3', 'Enter', 'Enter', '2', 'Ctrl+Enter']);
  });

  it('announces the active option with aria-activedescendant', () => {
    render(<Apps picked={[]} />);
    key('ArrowDown');
    key('ArrowDown');
    expect(document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent).toBe(
      'Visitor Deskfront',
    );
  });

  it('restores its value on Escape', () => {
    const picked: string[] = [];
    render(<Apps picked={picked} />);
    type('desk');
    key('Escape');
    expect(picked).toEqual([]);
    expect(box().value).toBe('');
  });

  it('says when no option matches, and then picks nothing on Enter', () => {
    const picked: string[] = [];
    render(<Apps picked={picked} />);
    type('zzz');
    expect(shown()).toEqual(['No options match “zzz”']);
    key('Enter');
    expect(picked).toEqual([]);
  });

  it('asks for a newer list when no option matches, says how old this one is, and shows the option that arrives', () => {
    let asked = 0;
    const options = [{ value: '1', label: 'Field Service' }];
    const apps = (all: typeof options, listNote: string) => (
      <Combobox
        name="app"
        label="App"
        options={all}
        value={null}
        listNote={listNote}
        onNoMatch={() => asked++}
        onPick={() => {}}
      />
    );
    const { rerender } = render(apps(options, 'The list of 14:03'));
    type('field');
    expect(asked).toBe(0);
    type('made elsewhere');
    expect(asked).toBe(1);
    expect(shown()).toEqual(['No options match “made elsewhere”', 'The list of 14:03']);
    rerender(apps([...options, { value: '2', label: 'Made elsewhere' }], 'The list of 14:09'));
    expect(shown()).toEqual(['Made elsewhere']);
  });

  it('accepts free text where allowed, and shows its problem', () => {
    const picked: string[] = [];
    render(
      <Combobox
        name="zone"
        label="Zone"
        labelShown
        free
        options={[{ value: 'Europe/Rome', label: 'Europe/Rome' }]}
        value="Europe/Nowhere"
        problem="There is no such zone."
        onPick={(zone) => picked.push(zone)}
      />,
    );
    expect(box().value).toBe('Europe/Nowhere');
    expect(box().getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(box().getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'There is no such zone.',
    );
    type('Mars/Base');
    expect(shown()).toEqual(['Mars/Baseas typed']);
    key('Enter');
    expect(picked).toEqual(['Mars/Base']);
  });

  it('matches every word in any order, and lists labels that start with the text first', () => {
    expect(matchOptions(APPS, 'service').map((option) => option.value)).toEqual(['3', '1']);
    expect(matchOptions(APPS, 'DESK front').map((option) => option.value)).toEqual(['2']);
  });
});

describe('a disabled button', () => {
  it('says why, stays focusable, and does nothing', () => {
    let pressed = 0;
    render(
      <Button unavailable="The payload is not JSON." onClick={() => pressed++}>
        Run
      </Button>,
    );
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Run' });
    fireEvent.click(button);
    expect(pressed).toBe(0);
    expect(button.disabled).toBe(false);
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(button.getAttribute('aria-description')).toBe('The payload is not JSON.');
    expect(button.title).toBe('The payload is not JSON.');
  });
});

describe('an alert', () => {
  it('shows message, hint, and code as text, never as markup', () => {
    render(<Alert error={{ code: 'X_Y', message: '<img src=x onerror=alert(1)>', hint: 'Do that.', status: 503 }} />);
    const alert = screen.getByRole('alert');
    expect(alert.dataset['code']).toBe('X_Y');
    expect(alert.textContent).toBe('<img src=x onerror=alert(1)>Do that.X_Y · HTTP 503');
    expect(alert.querySelector('img')).toBeNull();
    expect(within(alert).getByRole('link', { name: 'X_Y' }).getAttribute('href')).toBe('/docs/errors.html#x_y');
  });
});

describe('a meter', () => {
  it('says in text that it is over the limit', () => {
    render(<Meter label="Payload length" value={2049} max={2048} unit="characters" />);
    const meter = screen.getByRole('meter', { name: 'Payload length' });
    expect([meter.getAttribute('aria-valuenow'), meter.getAttribute('aria-valuetext')]).toEqual([
      '2049',
      '2049 of 2048 characters, over the limit',
    ]);
  });
});

describe('tabs', () => {
  function Sample() {
    const [tab, setTab] = useState<'a' | 'b' | 'c'>('a');
    return (
      <Tabs
        label="Sample"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'a', label: 'A' },
          { id: 'b', label: 'B', badge: 2 },
          { id: 'c', label: 'C', badge: 3, problems: '3 problems' },
        ]}
      >{`panel ${tab}`}</Tabs>
    );
  }
  it('move with arrow keys around the ends, with only the selected tab in the tab order', () => {
    render(<Sample />);
    fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowLeft' });
    expect(screen.getByRole('tabpanel').textContent).toBe('panel c');
    expect(document.activeElement?.textContent).toBe('C 3');
    expect(screen.getAllByRole('tab').map((tab) => tab.tabIndex)).toEqual([-1, -1, 0]);
    fireEvent.click(screen.getByRole('tab', { name: 'B 2' }));
    expect(screen.getByRole('tabpanel').textContent).toBe('panel b');
  });

  it('keep a count of problems out of their name, and have it as their description', () => {
    render(<Sample />);
    expect(screen.getByRole('tab', { name: 'C', description: '3 problems' }).textContent).toBe('C 3');
  });
});

describe('a splitter', () => {
  it('moves with the arrow keys, within its limits', () => {
    render(
      <Splitter label="Width" direction="columns" share={50}>
        {'left'}
        {'right'}
      </Splitter>,
    );
    const bar = screen.getByRole('separator', { name: 'Width' });
    fireEvent.keyDown(bar, { key: 'ArrowRight' });
    expect(bar.getAttribute('aria-valuenow')).toBe('53');
    fireEvent.keyDown(bar, { key: 'End' });
    expect(bar.getAttribute('aria-valuenow')).toBe('85');
  });
});

describe('a value', () => {
  const list = { t: 'array' as const, length: 3, items: [remote('one')], handle: 4 };
  it('loads cut entries on request', async () => {
    const requests: number[][] = [];
    render(
      <ValueTree
        label="Result"
        value={list}
        copy={async () => true}
        expand={async (...args) => {
          requests.push(args);
          return { ok: true, value: { t: 'array', length: 3, items: [remote('two'), remote('three')] } };
        }}
      />,
    );
    fireEvent.click(screen.getByText('Show 2 of 2 more entries'));
    expect(await screen.findByText('"three"')).toBeTruthy();
    expect(requests).toEqual([[4, 1, 100]]);
  });

  it('is edited in its row as JSON: Enter applies it, Escape and a refusal leave it', async () => {
    const edits: string[][] = [];
    const drafts: boolean[] = [];
    const edit = async (pointer: string, json: string) => {
      edits.push([pointer, json]);
      return json === 'x' ? { code: 'CONTEXT_NOT_JSON', message: 'Not JSON.' } : null;
    };
    const tree = (given?: typeof edit) => (
      <ValueTree
        label="Context"
        value={remote({ sum: 5, rows: [1] })}
        copy={async () => true}
        expand={async () => ({ ok: false, error: { code: 'NO', message: 'no' } })}
        edit={given}
        onDraft={(hasDraft) => void drafts.push(hasDraft)}
      />
    );
    const open = () => fireEvent.dblClick(screen.getByText('sum'));
    const field = () => screen.queryByLabelText<HTMLInputElement>('sum as JSON');
    const enter = (text: string, name: string) => {
      fireEvent.input(field()!, { target: { value: text } });
      fireEvent.keyDown(field()!, { key: name });
    };
    const { rerender } = render(tree());
    open();
    expect(field()).toBeNull();
    rerender(tree(edit));
    fireEvent.dblClick(screen.getByText('rows'));
    expect(screen.queryByRole('textbox')).toBeNull();
    open();
    expect(field()!.value).toBe('5');
    enter('6', 'Escape');
    expect(field()).toBeNull();
    open();
    enter('x', 'Enter');
    expect((await screen.findByRole('alert')).textContent).toBe('Not JSON.');
    enter('7', 'Enter');
    await waitFor(() => expect(field()).toBeNull());
    expect(edits).toEqual([
      ['/sum', 'x'],
      ['/sum', '7'],
    ]);
    await waitFor(() => expect(drafts).toEqual([true, false, true, true, false]));
  });

  it('says when the page no longer has the rest', async () => {
    render(
      <ValueTree
        label="Result"
        value={list}
        copy={async () => true}
        expand={async () => ({
          ok: false,
          error: { code: 'HANDLE_GONE', message: 'The page no longer has this value.' },
        })}
      />,
    );
    fireEvent.click(screen.getByText('Show 2 of 2 more entries'));
    expect(await screen.findByText(/no longer has this value/)).toBeTruthy();
  });

  it('can be searched and copied in full', async () => {
    const copied: unknown[][] = [];
    render(
      <ValueTree
        label="Result"
        value={remote({ a: { b: 'needle' }, c: 1 })}
        wholeText={8}
        copy={async (...args) => copied.push(args) > 0}
        expand={async () => ({ ok: false, error: { code: 'X', message: '' } })}
      />,
    );
    fireEvent.input(screen.getByRole('searchbox'), { target: { value: 'needle' } });
    expect(screen.getByText('1 match')).toBeTruthy();
    expect(screen.getAllByRole('treeitem')).toHaveLength(3);
    fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await screen.findByText('Copied')).toBeTruthy();
    expect(copied).toEqual([['{\n  "a": {\n    "b": "needle"\n  },\n  "c": 1\n}', 8]]);
  });
});
