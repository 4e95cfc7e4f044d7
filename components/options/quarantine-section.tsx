/** Lists quarantined data, and lets the user save it as a file. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { OptionsPort } from '../../lib/extension/options/port.ts';
import type { QuarantineReport } from '../../lib/extension/messaging/model/stored-data.ts';
import { plural } from '../../lib/shared/format.ts';
import { Button } from '../ui/index.ts';

const PROBLEMS = {
  newer: 'Written by a newer version of this extension.',
  damaged: 'The browser’s database can’t be opened, or lacks a part.',
} as const;

function describe({ problem, records }: QuarantineReport): string {
  const quarantined = records === 0 ? null : `${plural(records, 'damaged record')} in quarantine.`;
  return [problem && PROBLEMS[problem], quarantined].filter(Boolean).join(' ');
}

export function QuarantineSection({ port }: { port: OptionsPort }): JSX.Element | null {
  const [reports, setReports] = useState<readonly QuarantineReport[]>([]);
  useEffect(() => {
    const inspect = (): void => void port.inspectQuarantine().then(setReports);
    inspect();
    window.addEventListener('focus', inspect);
    return () => window.removeEventListener('focus', inspect);
  }, [port]);
  const [unread, setUnread] = useState<readonly string[]>([]);
  const save = async (): Promise<void> => {
    const file = await port.exportQuarantine();
    port.saveFile('platform-quarantine.json', file.text);
    setUnread(file.unread);
  };
  if (reports.length === 0) return null;
  return (
    <section aria-labelledby="quarantine-title" data-quarantine="">
      <h2 id="quarantine-title">Quarantined data</h2>
      <p class="hint">The extension doesn’t use this data, but stores it until you erase all data.</p>
      <dl class="stored">
        {reports.map((one) => [
          <dt key={one.title}>{one.title}</dt>,
          <dd key={`${one.title}.problem`}>{describe(one)}</dd>,
        ])}
      </dl>
      <div class="form-actions">
        <Button onClick={() => void save()}>Save as file</Button>
        <span class="hint">The file has none of the stored tokens, but may have data from your actions.</span>
      </div>
      <p class="status" role="status">
        {unread.length > 0 ? `Couldn’t read ${unread.join(', ')}. The file lacks this data.` : ''}
      </p>
    </section>
  );
}
