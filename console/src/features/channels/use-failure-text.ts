import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/schemas';
import { ATTEMPT_FAILURES } from '../../shared/receipt/attempt-failures';

/** Kinds of failure with words of their own. */
const REASONS = [...ATTEMPT_FAILURES, 'unfinished'] as const;
type Reason = (typeof REASONS)[number];

const isKnown = (reason: string): reason is Reason => (REASONS as readonly string[]).includes(reason);

/** Why an attempt failed, in words; a kind without words as it is written. */
export function useReasonText(): (reason: string) => string {
  const { t } = useTranslation();
  return (reason) => (isKnown(reason) ? t(`channels.reason.${reason}`) : reason);
}

/** Status and sentence of the provider; without a sentence the reason in words. */
export function useFailureText(): (failure: Schemas['ChannelFailure']) => string {
  const reasonText = useReasonText();
  return ({ reason, status, message }) => {
    const words = message === '' ? reasonText(reason) : message;
    return status === 0 ? words : `${status} ${words}`;
  };
}
