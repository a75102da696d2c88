import { exactMoney } from '../../shared/format/money';
import type { LogLine } from './api';
import { pricePerMillion } from '../../shared/receipt/charge-money';
import { detailsOf } from '../../shared/receipt/log-details';
import { eventText } from './log-event';
import { isCall, LOG_TYPE } from './log.labels';
import type { LogTexts } from './use-log-texts';

/** Endings the console has words for. */
const ENDINGS = ['partial', 'client_abort', 'limit', 'recovered'] as const;

/**
 * Text of a line. The stored sentence is English; calls are translated from their figures, other lines from their event. Failures,
 * and lines stored without an event, keep the stored sentence.
 */
export function logText(
  line: Pick<LogLine, 'type' | 'content' | 'other' | 'username'>,
  words: LogTexts,
): string {
  const { t } = words;
  if (!isCall(line)) {
    const { event } = detailsOf(line);
    return (event === undefined ? undefined : eventText(event, line.username, words)) ?? line.content;
  }
  if (line.type !== LOG_TYPE.consumption) return line.content;
  const { model_ratio, completion_ratio, group_ratio, model_price, outcome, user_group, user_group_model } =
    detailsOf(line);
  if (group_ratio === undefined) return line.content;
  const group = figure(group_ratio);
  const [sentence = '', ...notes] = line.content.split('; ');
  const parts: string[] = [];
  if (model_price !== undefined && model_price >= 0) {
    parts.push(
      words.ratios
        ? t('logs.text.call', { price: figure(model_price), group })
        : t('logs.text.callMoney', { price: exactMoney(model_price * group_ratio) }),
    );
  } else if (model_ratio !== undefined && completion_ratio !== undefined) {
    const values = { model: figure(model_ratio), completion: figure(completion_ratio), group };
    const price = (ratio: number) => pricePerMillion(ratio * group_ratio, words.quotaPerUnit);
    parts.push(
      words.ratios
        ? t('logs.text.tokens', values)
        : t('logs.text.tokensMoney', {
            input: price(model_ratio),
            output: price(model_ratio * completion_ratio),
          }),
    );
  } else {
    return line.content;
  }
  if (user_group !== undefined)
    parts.push(
      user_group_model === undefined
        ? t('logs.why.agreedFor', { group: user_group })
        : t('logs.why.agreedForModels', { group: user_group, models: user_group_model }),
    );
  if (sentence.endsWith('price not set: fallback ratio')) parts.push(t('logs.text.unset'));
  const ending = ENDINGS.find((known) => known === outcome);
  if (ending === undefined) parts.push(...notes);
  // The last note is the ending in the words of the server; those before it explain the price.
  else parts.push(...notes.slice(0, -1), t(`logs.outcome.${ending}`));
  return parts.join(' · ');
}

/** Two decimals, or all of them where two would hide the figure. */
function figure(value: number): string {
  const short = value.toFixed(2);
  return Number(short) === value ? short : String(value);
}
