import { Injectable } from '@nestjs/common';
import { operatorSentence, type RelayError } from '../../../relay-core/model/relay-error.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { isInRanges, type StatusRanges } from '../../../relay-core/model/status-ranges.js';

const DISABLING_STATUSES: StatusRanges = [[401, 401]];
const DECISIVE_CODES = new Set([
  'invalid_api_key',
  'account_deactivated',
  'billing_not_active',
  'insufficient_quota',
]);
const DECISIVE_TYPES = new Set([
  'insufficient_quota',
  'insufficient_user_quota',
  'authentication_error',
  'permission_error',
  'forbidden',
]);

/**
 * Reason a failure counts against the channel itself, or null: the vendor's status, type or code, or one of the operator's phrases
 * in the vendor's message, whatever the status. A refusal may quote the request, so prompts can provoke phrases: callers must
 * confirm with a test of their own that meets the same failure before they disable a channel.
 * @param keywords  operator's phrases, any case
 * @param statuses  operator's list; 402 (no credit left) always counts, 400 (the request) never
 */
export function channelFaultOf(
  error: RelayError,
  keywords: readonly string[],
  statuses: StatusRanges = DISABLING_STATUSES,
): string | null {
  if (error.blame !== 'upstream') return null;
  const { upstreamStatus, vendorCode, vendorType } = error;
  const sentence = operatorSentence(error);
  if (upstreamStatus !== undefined && upstreamStatus >= 400) {
    const reason =
      error.vendorSays?.status === undefined ? `status ${upstreamStatus}: ${sentence}` : sentence;
    const isTelling =
      upstreamStatus === 402 || (upstreamStatus !== 400 && isInRanges(statuses, upstreamStatus));
    if (isTelling) return reason;
    // An upstream that answers 400 may be quoting the request in any field.
    if (upstreamStatus !== 400) {
      if (vendorCode !== undefined && DECISIVE_CODES.has(vendorCode)) return `${vendorCode}: ${sentence}`;
      if (vendorType !== undefined && DECISIVE_TYPES.has(vendorType)) return `${vendorType}: ${sentence}`;
    }
    if (mentionsAny(error, keywords)) return reason;
  }
  return error.vendorSays !== undefined && mentionsAny(error, keywords) ? sentence : null;
}

function mentionsAny(
  error: RelayError & { readonly blame: 'upstream' },
  keywords: readonly string[],
): boolean {
  const said = [error.vendorSays?.sentence, error.message, error.vendorCode, error.vendorType];
  const text = said.join('\n').toLowerCase();
  return keywords.some((phrase) => phrase.trim() !== '' && text.includes(phrase.trim().toLowerCase()));
}

/** The same under the operator's options. */
@Injectable()
export class ChannelFaults {
  constructor(private readonly options: OptionsService) {}

  /** @returns the reason; null = no evidence against the channel, or no channel is to be disabled */
  of(error: RelayError): string | null {
    const values = this.options.values();
    return values.AutomaticDisableChannelEnabled
      ? channelFaultOf(error, values.AutomaticDisableKeywords, values.AutomaticDisableStatusCodes)
      : null;
  }
}
