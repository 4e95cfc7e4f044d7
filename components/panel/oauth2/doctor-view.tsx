/** Owns the doctor's findings: what is wrong, why, what shows it, what to do; and the check of a service's addresses. */
import type { JSX } from 'preact';
import { plural, truncate } from '../../../lib/shared/format.ts';
import type { Doctor } from '../../../lib/extension/panel/oauth2/doctor/doctor.ts';
import type { Finding } from '../../../lib/extension/panel/oauth2/doctor/finding.ts';
import type { PageService, ProbeRequest } from '../../../lib/extension/panel/oauth2/types.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { CheckedList } from './doctor-checked.tsx';
import './doctor.css';

export interface DoctorViewProps {
  doctor: Doctor;
  findings: readonly Finding[];
  /** The service that a check is offered for. */
  service: PageService | null;
  /** Brings a line of the timeline into sight. */
  onShow: (entry: number) => void;
  copy: (text: string) => void;
}

export function DoctorView({ doctor, findings, service, onShow, copy }: DoctorViewProps): JSX.Element {
  const faults = findings.filter(({ severity }) => severity !== 'advice');
  const advice = findings.filter(({ severity }) => severity === 'advice');
  const requests = service ? doctor.checkup(service.name) : [];
  const list = (some: readonly Finding[]): JSX.Element => (
    <ol class="findings">
      {some.map((finding) => (
        <FindingItem
          key={`${finding.code} ${finding.service} ${finding.title}`}
          finding={finding}
          doctor={doctor}
          onShow={onShow}
          copy={copy}
        />
      ))}
    </ol>
  );
  return (
    <section class="doctor" aria-label="Doctor">
      <header class="section-head">
        <h2>Doctor</h2>
        <span role="status" data-faults={faults.length}>
          {faults.length > 0 ? (
            <Badge tone={faults[0]!.severity === 'error' ? 'danger' : 'warning'}>
              {plural(faults.length, 'fault')}
            </Badge>
          ) : (
            <Badge tone="success">no fault found</Badge>
          )}
        </span>
        <span class="grow" />
        {service ? (
          <Ask
            label={`Check ${truncate(service.name, 40) || 'it'}`}
            doctor={doctor}
            requests={requests}
            unavailable={requests.length === 0 ? 'Its addresses are not known.' : null}
          />
        ) : null}
      </header>
      <div class="scroll">
        {faults.length > 0 ? (
          list(faults)
        ) : (
          <EmptyState title="No fault found">
            <p>
              Configuration, logins, sessions and calls of the API are looked at as they happen. What goes wrong stands
              here, with its cause and what to do.
            </p>
          </EmptyState>
        )}
        {advice.length > 0 ? (
          <details class="advice">
            <summary>{plural(advice.length, 'piece')} of advice: it works, and could be safer</summary>
            {list(advice)}
          </details>
        ) : null}
        <CheckedList checked={doctor.checked.value} />
      </div>
    </section>
  );
}

const MARKS = { error: '✗', warning: '!', advice: 'i' } as const;
const SEVERITIES = { error: 'Error', warning: 'Warning', advice: 'Advice' } as const;

function FindingItem({
  finding,
  doctor,
  onShow,
  copy,
}: Omit<DoctorViewProps, 'findings' | 'service'> & { finding: Finding }): JSX.Element {
  const { code, service, severity, title, cause, evidence, fix, snippet, ask, question } = finding;
  return (
    <li class={`finding ${severity}`} data-finding={code} data-of={service} data-severity={severity}>
      <h3>
        <span class="mark" aria-hidden="true">
          {MARKS[severity]}
        </span>
        <span class="visually-hidden">{SEVERITIES[severity]}: </span>
        <span class="untrusted">{title}</span>
        {service ? <span class="of untrusted">{service}</span> : null}
        <code>{code}</code>
      </h3>
      <p class="untrusted">{cause}</p>
      {evidence.length > 0 ? (
        <ul class="evidence" aria-label="Evidence">
          {evidence.map(({ text, entry }, index) => (
            <li key={index}>
              <span class="untrusted">{text}</span>
              {entry === undefined ? null : (
                <Button
                  kind="quiet"
                  label={`Show in the timeline: ${truncate(text, 60)}`}
                  onClick={() => onShow(entry)}
                >
                  show
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      <p class="fix untrusted">
        <strong>Fix: </strong>
        {fix}
      </p>
      {snippet ? (
        <div class="snippet">
          <pre class="untrusted" tabIndex={0} aria-label="What to write">
            {snippet}
          </pre>
          <Button kind="quiet" onClick={() => copy(snippet)}>
            Copy
          </Button>
        </div>
      ) : null}
      {question ? (
        <p class="question">
          <span>{question.text}</span>
          <Button onClick={() => doctor.say(question.about, true)}>{question.yes}</Button>
          <Button onClick={() => doctor.say(question.about, false)}>{question.no}</Button>
        </p>
      ) : null}
      {ask?.length ? (
        <p class="question">
          <span class="untrusted">{hostsOf(ask)} can be asked for more.</span>
          <Ask label="Check" doctor={doctor} requests={ask} />
        </p>
      ) : null}
    </li>
  );
}

function Ask({
  label,
  doctor,
  requests,
  unavailable = null,
}: {
  label: string;
  doctor: Doctor;
  requests: readonly ProbeRequest[];
  unavailable?: string | null;
}): JSX.Element {
  const busy = doctor.checking.value ? 'Being checked…' : null;
  return (
    <Button
      unavailable={unavailable ?? busy}
      title={`Asks ${hostsOf(requests)} from the page, without tokens and cookies`}
      onClick={() => void doctor.check(requests)}
    >
      {label}
    </Button>
  );
}

const hostsOf = (requests: readonly ProbeRequest[]): string =>
  [...new Set(requests.map(({ url }) => new URL(url).host))].join(', ');
