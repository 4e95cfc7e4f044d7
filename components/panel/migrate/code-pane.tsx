/** The generated code, which can be edited. It’s linked with the tree by line. */
import type { JSX } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { lineDifferences } from '../../../lib/extension/panel/migrate/line-differences.ts';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Alert, Badge, Button, Notice } from '../../ui/index.ts';
import { NOT_LOADED } from '../../../lib/extension/panel/shared/late-module.ts';
import { Loading } from '../shared/loading.tsx';
import { DiffView } from './diff-view.tsx';
import type { createJavaScriptEditor, JavaScriptEditor } from './javascript-editor.ts';

export interface CodePaneProps {
  migrating: Migrating;
  /** Asks before it restores the generated code. */
  onStartOver: () => void;
  /** Incremented to put focus into the code. */
  focus: number;
}

export function CodePane({ migrating, onStartOver, focus }: CodePaneProps): JSX.Element {
  const { edit } = migrating;
  const [isComparing, setComparing] = useState(false);
  const isEdited = edit.isEdited.value;
  const comparing = isComparing && isEdited;
  return (
    <section class="section migrate-code" aria-label="V3 code">
      <header class="section-head">
        <h2>V3 code</h2>
        {isEdited ? <Badge tone="warning">Edited</Badge> : null}
        <span class="grow" />
        <Button
          kind="quiet"
          pressed={comparing}
          unavailable={isEdited ? null : 'Edit the code first'}
          title="Show what you changed in the generated code"
          onClick={() => setComparing(!comparing)}
        >
          Changes
        </Button>
        <Button
          kind="quiet"
          unavailable={isEdited ? null : 'Edit the code first'}
          title="Restore the generated code"
          onClick={onStartOver}
        >
          Start over…
        </Button>
      </header>
      {edit.isOutdated.value ? (
        <Notice
          code="EDIT_OUTDATED"
          actions={
            <>
              <Button onClick={() => setComparing(true)}>Compare</Button>
              <Button onClick={onStartOver}>Start over…</Button>
              <Button kind="quiet" onClick={edit.keep}>
                Keep my code
              </Button>
            </>
          }
        >
          The action has changed since you edited this code.
        </Notice>
      ) : null}
      {edit.error.value ? <Alert error={edit.error.value} onDismiss={edit.dismiss} /> : null}
      {comparing ? <Changes migrating={migrating} /> : <Editor migrating={migrating} focus={focus} />}
      <Problems migrating={migrating} />
    </section>
  );
}

function Changes({ migrating: { edit } }: Pick<CodePaneProps, 'migrating'>): JSX.Element {
  const { generated, code } = edit;
  const lines = useMemo(() => lineDifferences(generated.value, code.value), [generated.value, code.value]);
  return <DiffView label="Changes of the generated code" lines={lines} />;
}

function Editor({ migrating, focus }: Pick<CodePaneProps, 'migrating' | 'focus'>): JSX.Element {
  const [create, setCreate] = useState<typeof createJavaScriptEditor | 'failed' | null>(null);
  useEffect(() => {
    import('./javascript-editor.ts').then(
      (module) => setCreate(() => module.createJavaScriptEditor),
      () => setCreate('failed'),
    );
  }, []);
  if (create === 'failed') return <Alert error={NOT_LOADED} />;
  return create ? <Code migrating={migrating} create={create} focus={focus} /> : <Loading>Loading the editor…</Loading>;
}

interface CodeProps {
  migrating: Migrating;
  create: typeof createJavaScriptEditor;
  focus: number;
}

function Code({ migrating, create, focus }: CodeProps): JSX.Element {
  const { edit } = migrating;
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<JavaScriptEditor | null>(null);
  const firstFocus = useRef(focus);
  const id = useId();
  useLayoutEffect(() => {
    if (!container.current) return;
    const created = create({
      parent: container.current,
      label: 'V3 code',
      describedBy: id,
      code: edit.code.peek(),
      onCode: edit.set,
      onCursor: migrating.cursorAt,
      onProve: () => void migrating.proveAgain(),
    });
    editor.current = created;
    return () => {
      editor.current = null;
      created.destroy();
    };
  }, [migrating]);
  const code = edit.code.value;
  useLayoutEffect(() => editor.current?.show(code), [code]);
  const problems = edit.problems.value;
  useLayoutEffect(() => editor.current?.mark(problems), [problems]);
  const { from, to } = migrating.highlighted.value ?? { from: 0, to: 0 };
  useLayoutEffect(() => editor.current?.highlight(from === 0 ? null : { from, to }), [from, to]);
  const revealed = migrating.revealed.value;
  useLayoutEffect(() => {
    if (revealed) editor.current?.reveal(revealed.line);
  }, [revealed]);
  useEffect(() => {
    if (focus !== firstFocus.current) editor.current?.focus();
  }, [focus]);
  return (
    <>
      <div class="fill migrate-editor" ref={container} />
      <span id={id} class="visually-hidden">
        Move the cursor to select the step of a line.
      </span>
    </>
  );
}

/** Beyond this, correcting the first ones comes first. */
const SHOWN = 20;

function Problems({ migrating }: Pick<CodePaneProps, 'migrating'>): JSX.Element | null {
  const problems = migrating.edit.problems.value;
  if (problems.length === 0) return null;
  return (
    <ul class="migrate-problems" aria-label="Problems of the code" data-code-problems={problems.length}>
      {problems.slice(0, SHOWN).map(({ message, line }, index) => (
        <li key={index}>
          {line === undefined ? null : (
            <>
              <button type="button" class="link" onClick={() => migrating.showLine(line)}>
                Line {line}
              </button>{' '}
            </>
          )}
          <span class="untrusted">{message}</span>
        </li>
      ))}
    </ul>
  );
}
