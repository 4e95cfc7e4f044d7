/** The pipeline, the selected step, and the code, arranged by the panel’s size. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Migrating } from '../../../lib/extension/panel/migrate/migrating.ts';
import { Splitter, Tabs } from '../../ui/index.ts';
import { useMedia } from '../shared/use-media.ts';
import { ActionDetails } from './action-details.tsx';
import { CodePane } from './code-pane.tsx';
import { MigrationTree } from './migration-tree.tsx';
import { StepDetails } from './step-details.tsx';

interface ProofTabProps {
  migrating: Migrating;
  onStartOver: () => void;
}

export function ProofTab({ migrating, onStartOver }: ProofTabProps): JSX.Element {
  const isTiny = useMedia('(max-width: 479px)');
  const isNarrow = useMedia('(max-width: 699px)');
  const [focus, setFocus] = useState(0);
  const [pane, setPane] = useState<'steps' | 'code'>('steps');
  const showCode = (): void => {
    setPane('code');
    setFocus(focus + 1);
  };
  const tree = <MigrationTree migrating={migrating} onCode={showCode} />;
  const code = <CodePane migrating={migrating} onStartOver={onStartOver} focus={focus} />;
  if (isTiny)
    return (
      <Tabs
        label="Panes"
        selected={pane}
        onSelect={setPane}
        tabs={[
          { id: 'steps', label: 'Steps' },
          { id: 'code', label: 'Code' },
        ]}
      >
        {pane === 'code' ? code : <Steps tree={tree} migrating={migrating} />}
      </Tabs>
    );
  if (isNarrow)
    return (
      <Splitter key="rows" label="Resize steps and code" direction="rows" share={50}>
        <div class="halves">
          {tree}
          <Details migrating={migrating} />
        </div>
        {code}
      </Splitter>
    );
  return (
    <Splitter key="columns" label="Resize steps and code" direction="columns" share={42}>
      <Steps tree={tree} migrating={migrating} />
      {code}
    </Splitter>
  );
}

const Steps = ({ tree, migrating }: { tree: JSX.Element; migrating: Migrating }): JSX.Element => (
  <Splitter label="Resize pipeline and details" direction="rows" share={58}>
    {tree}
    <Details migrating={migrating} />
  </Splitter>
);

function Details({ migrating }: { migrating: Migrating }): JSX.Element {
  const step = migrating.selectedStep.value;
  return (
    <section class="section" aria-label="Details">
      {step ? <StepDetails migrating={migrating} step={step} /> : <ActionDetails migrating={migrating} />}
    </section>
  );
}
