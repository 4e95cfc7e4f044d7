/** A labeled JSON editor whose text isn’t parsed here. */
import type { JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { PayloadEditor } from '../../shared/payload-editor.tsx';

export interface JsonTextProps {
  name: string;
  label: string;
  text: string;
  problem?: string | undefined;
  onText: (text: string) => void;
}

export function JsonText({ name, label, text, problem, onText }: JsonTextProps): JSX.Element {
  const id = useId();
  const check = useMemo(
    () => ({ offset: null, problem: problem ? { code: 'INVALID', message: problem } : null }),
    [problem],
  );
  return (
    <div class="field json-field">
      <span class="label" aria-hidden="true">
        {label}
      </span>
      <PayloadEditor
        name={name}
        label={label}
        text={text}
        problem={check}
        describedBy={`${id}-problem`}
        onRun={() => {}}
        onText={onText}
      />
      <span id={`${id}-problem`} class="problem">
        {problem}
      </span>
    </div>
  );
}
