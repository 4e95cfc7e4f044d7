/** Shows the doctor's findings, and checks a service's URLs. */
import type { JSX } from 'preact';
import { plural, truncate } from '../../../lib/shared/format.ts';
import type { Doctor } from '../../../lib/extension/panel/oauth2/doctor/doctor.ts';
import type { Finding } from '../../../lib/extension/panel/oauth2/doctor/finding.ts';
import type { PageService, ProbeRequest } from '../../../lib/extension/panel/oauth2/types.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { CheckedList } from './doctor-checked.tsx';
import './doctor.css';

interface DoctorContext {
  doctor: Doctor;
  /** Reveals an entry in the timeline. */
  onShow: (entry: number) => void;
  copy: (text: string) => void;
}

export interface DoctorViewProps extends DoctorContext {
  findings: readonly Finding[];
  service: PageService | null;
  /** What isn’t recorded; empty if nothing is missing. */
  recording: string;
}

export function DoctorView({ findings, service, recording, ...context }: DoctorViewProps): JSX.Element {
  const { doctor } = context;
  const faults = findings.filter(({ severity }) => severity !== 'advice');
  const advice = findings.filter(({ severity }) => severity === 'advice');
  return (
    <section class="doctor" aria-label="Doctor">
      <DoctorHeader doctor={doctor} faults={faults} service={service} />
      <div class="scroll">
        {faults.length > 0 ? (
          <FindingList findings={faults} context={context} />
        ) : (
          <EmptyState title="No problems found">
            <p>The doctor checks configurations, sessions, and recorded logins and API calls. {recording}</p>
          </EmptyState>
        )}
        {advice.length > 0 ? (
          <details class="advice">
            <summary>{plural(advice.length, 'suggestion')} to make OAuth2 safer</summary>
            <FindingList findings={advice} context={context} />
          </details>
        ) : null}
        <CheckedList checked={doctor.checked.value} />
      </div>
    </section>
  );
}

interface DoctorHeaderProps {
  doctor: Doctor;
  faults: readonly Finding[];
  service: PageService | null;
}

function DoctorHeader({ doctor, faults, service }: DoctorHeaderProps): JSX.Element {
  const [worst] = faults;
  const requests = service ? doctor.checkup(service.name) : [];
  return (
    <header class="section-head">
      <h2>Doctor</h2>
      <span role="status" data-faults={faults.length}>
        {worst ? (
          <Badge tone={worst.severity === 'error' ? 'danger' : 'warning'}>{plural(faults.length, 'problem')}</Badge>
        ) : (
          <Badge tone="plain">no problems found</Badge>
        )}
      </span>
      <span class="grow" />
      {service ? (
        <CheckButton
          label={`Check ${truncate(service.name, 40) || 'service'}`}
          doctor={doctor}
          requests={requests}
          unavailable={requests.length === 0 ? 'Configure authUrl or baseUrl first' : null}
        />
      ) : null}
    </header>
  );
}

function FindingList({ findings, context }: { findings: readonly Finding[]; context: DoctorContext }): JSX.Element {
  return (
    <ol class="findings">
      {findings.map((finding) => (
        <FindingItem key={`${finding.code} ${finding.service} ${finding.title}`} finding={finding} {...context} />
      ))}
    </ol>
  );
}

const MARKS = { error: '✗', warning: '!', advice: 'i' } as const;
const SEVERITIES = { error: 'Error', warning: 'Warning', advice: 'Advice' } as const;

type FindingProps = DoctorContext & { finding: Finding };

function FindingItem(props: FindingProps): JSX.Element {
  const { code, service, severity, title, cause, fix, snippet } = props.finding;
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
      <EvidenceList {...props} />
      <p class="fix untrusted">
        <strong>Fix: </strong>
        {fix}
      </p>
      {snippet ? (
        <div class="snippet">
          <pre class="untrusted" tabIndex={0} aria-label="Suggested code">
            {snippet}
          </pre>
          <Button kind="quiet" onClick={() => props.copy(snippet)}>
            Copy
          </Button>
        </div>
      ) : null}
      <FollowUp {...props} />
    </li>
  );
}

function EvidenceList({ finding: { evidence }, onShow }: FindingProps): JSX.Element | null {
  if (evidence.length === 0) return null;
  return (
    <ul class="evidence" aria-label="Evidence">
      {evidence.map(({ text, entry }, index) => (
        <li key={index}>
          <span class="untrusted">{text}</span>
          {entry === undefined ? null : (
            <Button kind="quiet" label={`Show in timeline: ${truncate(text, 60)}`} onClick={() => onShow(entry)}>
              Show
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Asks the user a question, or checks the service's hosts, to narrow down the cause. */
function FollowUp({ finding: { question, probes }, doctor }: FindingProps): JSX.Element {
  return (
    <>
      {question ? (
        <p class="question">
          <span>{question.text}</span>
          <Button onClick={() => doctor.answer(question.about, true)}>{question.yes}</Button>
          <Button onClick={() => doctor.answer(question.about, false)}>{question.no}</Button>
        </p>
      ) : null}
      {probes?.length ? (
        <p class="question">
          <span class="untrusted">Check {hostsOf(probes)} to find out more.</span>
          <CheckButton label="Check" doctor={doctor} requests={probes} />
        </p>
      ) : null}
    </>
  );
}

interface CheckButtonProps {
  label: string;
  doctor: Doctor;
  requests: readonly ProbeRequest[];
  unavailable?: string | null;
}

function CheckButton({ label, doctor, requests, unavailable = null }: CheckButtonProps): JSX.Element {
  const busy = doctor.isChecking.value ? 'Checking…' : null;
  return (
    <Button
      unavailable={unavailable ?? busy}
      title={`Sends requests from the page to ${hostsOf(requests)}, without tokens or cookies`}
      onClick={() => void doctor.check(requests)}
    >
      {label}
    </Button>
  );
}

const hostsOf = (requests: readonly ProbeRequest[]): string =>
  [...new Set(requests.map(({ url }) => new URL(url).host))].join(', ');
