/** Owns the findings as they are now, for every place that shows them or their number. */
import { doctorOf } from '../../../lib/extension/panel/oauth2/doctor/doctor.ts';
import type { Finding } from '../../../lib/extension/panel/oauth2/doctor/finding.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import { useNow } from '../actions/use-now.ts';

export function useFindings(store: OAuth2Store): Finding[] {
  return doctorOf(store).findings(useNow());
}

/** How many there are, but for advice. */
export function countFaults(findings: readonly Finding[]): number {
  return findings.filter(({ severity }) => severity !== 'advice').length;
}
