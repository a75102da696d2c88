import { useTranslation } from 'react-i18next';
import { formatMilliseconds } from '../../../shared/format/duration';
import { dollarsOfQuota, exactMoney } from '../../../shared/format/money';
import { useQuotaSettings } from '../../../shared/session/status';
import type { ChatMessage } from '../chat/messages';
import type { Receipt } from '../store/conversation';

/** Writes time, tokens and price of an answer: `1.24 s · 445 → 86 tokens · $0.00012`. */
export function useFigures(): (
  message: ChatMessage,
  receipt: Receipt | undefined,
  isPending: boolean,
) => string {
  const { t } = useTranslation();
  const settings = useQuotaSettings();
  return ({ metadata }, receipt, isPending) => {
    const totalMs = (metadata?.calls ?? []).reduce((sum, call) => sum + (call.totalMs ?? 0), 0);
    const charged =
      receipt === undefined
        ? [isPending ? t('playground.receipt.pending') : t('playground.receipt.none')]
        : [
            t('playground.receipt.tokens', {
              input: receipt.promptTokens.toLocaleString('en-US'),
              output: receipt.completionTokens.toLocaleString('en-US'),
            }),
            exactMoney(dollarsOfQuota(receipt.quota, settings)),
          ];
    return [totalMs > 0 ? formatMilliseconds(totalMs) : '', ...charged]
      .filter((part) => part !== '')
      .join(' · ');
  };
}
