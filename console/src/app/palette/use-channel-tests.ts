import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/api-error';
import { api, envelopeOf } from '../../api/client';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';

/** Tests of channels that the palette starts; the outcome is a message. */
export function useChannelTests() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const client = useQueryClient();
  const run = useCallback(
    async (test: () => Promise<unknown>, done: string, failed: (reason: string) => string) => {
      try {
        await test();
        toast('success', done);
      } catch (error) {
        toast('error', failed(isApiError(error) ? error.message : String(error)));
      }
      await client.invalidateQueries({ queryKey: ['channels'] });
    },
    [client],
  );
  const testAll = useCallback(() => {
    const ask = async () => {
      const yes = await confirm({
        title: t('palette.testAll'),
        consequence: t('palette.testAllText'),
        action: t('palette.testAllAction'),
      });
      if (!yes) return;
      await run(
        () => envelopeOf(api.GET('/api/channel/test')),
        t('palette.testAllStarted'),
        (reason) => reason,
      );
    };
    void ask();
  }, [t, confirm, run]);
  const testOne = useCallback(
    (id: number, name: string) =>
      void run(
        () => envelopeOf(api.GET('/api/channel/test/{id}', { params: { path: { id }, query: {} } })),
        t('palette.tested', { name }),
        (reason) => t('palette.testFailed', { name, reason }),
      ),
    [t, run],
  );
  return { testAll, testOne };
}
