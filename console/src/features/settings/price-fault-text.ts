import { useTranslation } from 'react-i18next';
import type { PriceFault } from './price-faults';

/** A fault of a price document as a sentence, with its line. */
export function useFaultText(): (fault: PriceFault) => string {
  const { t } = useTranslation();
  return ({ kind, line, name }) => {
    const reason =
      kind === 'json'
        ? t('common.form.notJson')
        : kind === 'object'
          ? t('common.form.notObject')
          : t(`prices.fault.${kind}`, { name: name ?? '' });
    return line === undefined ? reason : t('prices.fault.line', { line, reason });
  };
}
