import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { isApiError } from '../../api/api-error';
import { api, dataOf } from '../../api/client';
import { toast } from '../../shared/feedback/toast';

/** Status of channels and tokens in requests. */
const STATUS = { enabled: 1, disabled: 2 } as const;

const CALLS = {
  channels: (id: number, status: number) => dataOf(api.PUT('/api/channel', { body: { id, status } })),
  tokens: (id: number, status: number) =>
    dataOf(api.PUT('/api/token', { params: { query: { status_only: 'true' } }, body: { id, status } })),
} as const;

export type Switched = keyof typeof CALLS;

/** Enables or disables a channel, or a token of the reader; the outcome is a message. */
export function useSwitches() {
  const { t } = useTranslation();
  const client = useQueryClient();
  return useCallback(
    (kind: Switched, { id, name }: { readonly id: number; readonly name: string }, isOn: boolean) => {
      const run = async () => {
        try {
          await CALLS[kind](id, isOn ? STATUS.enabled : STATUS.disabled);
          toast('success', t(isOn ? 'palette.enabled' : 'palette.disabled', { name }));
        } catch (error) {
          toast('error', isApiError(error) ? error.message : String(error));
        }
        await client.invalidateQueries({ queryKey: [kind] });
        await client.invalidateQueries({ queryKey: ['palette'] });
      };
      void run();
    },
    [t, client],
  );
}
