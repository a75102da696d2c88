import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import type { ChannelTest } from './api';
import { testChannel } from './test-channel';

/** Tests a channel; a test that costs money is sent after the person agreed. Undefined = they did not. */
export function useTestWithConsent() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return async (
    id: number,
    model: string,
    { stream = false, endpoint = '' } = {},
  ): Promise<ChannelTest | undefined> => {
    const result = await testChannel(id, model, stream, endpoint);
    if (result.needsConsent !== true) return result;
    const agreed = await confirm({
      title: t('channels.confirm.testCosts', { model }),
      consequence: t('channels.confirm.testCostsText'),
      action: t('channels.confirm.testCostsAction'),
    });
    return agreed ? testChannel(id, model, stream, endpoint, true) : undefined;
  };
}
