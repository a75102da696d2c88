import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api, dataOf } from '../../api/client';
import { toast } from './toast';
import { useErrorText } from './use-error-text';

type Restore = (ids: number[]) => Promise<number>;

/** Calls that take a deletion back; accounts only by root. */
const RESTORES = {
  channels: (ids) => dataOf(api.POST('/api/channel/restore', { body: { ids } })),
  tokens: (ids) => dataOf(api.POST('/api/token/restore', { body: { ids } })),
  redemptions: (ids) => dataOf(api.POST('/api/redemption/restore', { body: { ids } })),
  users: (ids) => dataOf(api.POST('/api/bin/user/restore', { body: { ids } })),
} as const satisfies Readonly<Record<string, Restore>>;

/**
 * Says that rows were deleted, with a button that restores them. It works after the row and its page are gone.
 * @param list  the rows; also the first part of the query key that is read again afterwards
 */
export function useUndo(
  list: keyof typeof RESTORES,
): (text: string, ids: readonly number[] | undefined) => void {
  const client = useQueryClient();
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(
    (text, ids = []) => {
      const undo = async () => {
        try {
          await RESTORES[list]([...ids]);
          toast('success', t('common.restored'));
        } catch (error) {
          toast('error', errorText(error));
        }
        await client.invalidateQueries({ queryKey: [list] });
      };
      toast(
        'success',
        text,
        ids.length === 0 ? undefined : { label: t('common.undo'), run: () => void undo() },
      );
    },
    [client, errorText, list, t],
  );
}
