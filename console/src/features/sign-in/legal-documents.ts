import { useStatus } from '../../shared/session/status';

/** Text key of a sentence about them. */
export type LegalDocuments = 'both' | 'agreement' | 'privacy';

/** Which documents the operator has filled in. */
export function useLegalDocuments(): LegalDocuments | undefined {
  const status = useStatus();
  const agreement = status?.user_agreement_enabled === true;
  const privacy = status?.privacy_policy_enabled === true;
  if (agreement && privacy) return 'both';
  return agreement ? 'agreement' : privacy ? 'privacy' : undefined;
}
