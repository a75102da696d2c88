import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { useFreshly } from '../../shared/identity/step-up';
import { type BinItem, type Identity, type Section, useFreeIdentity, useRestore, useWipe } from './api';

/** Acts on rows of the bin; each reports its outcome. A promise resolves with true when the act was done. */
export function useBinActs(section: Section) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const errorText = useErrorText();
  const freshly = useFreshly();
  const { mutateAsync: restoreRows } = useRestore();
  const { mutateAsync: wipeRows } = useWipe();
  const { mutateAsync: freeIdentity } = useFreeIdentity();

  const done = (act: () => Promise<unknown>, text: string): Promise<boolean> =>
    freshly(act).then(
      () => (toast('success', text), true),
      (error: unknown) => (toast('error', errorText(error)), false),
    );
  const said = (act: 'restored' | 'wiped', [only, ...others]: readonly BinItem[]): string =>
    only !== undefined && others.length === 0
      ? t(`bin.done.${act}`, { name: only.name })
      : t(`bin.done.${act}Many`, { count: others.length + 1 });
  const idsOf = (items: readonly BinItem[]) => items.map(({ id }) => id);

  return {
    restore: (items: readonly BinItem[]): Promise<boolean> =>
      done(() => restoreRows({ section, ids: idsOf(items) }), said('restored', items)),
    wipe: async (items: readonly BinItem[]): Promise<boolean> => {
      const [only, ...others] = items;
      const yes = await confirm({
        title:
          only !== undefined && others.length === 0
            ? t('bin.confirm.wipe', { name: only.name })
            : t('bin.confirm.wipeMany', { count: items.length }),
        consequence: t(section === 'user' ? 'bin.confirm.purgeText' : 'bin.confirm.wipeText'),
        action: t('bin.action.wipe'),
        danger: true,
      });
      return yes && done(() => wipeRows({ section, ids: idsOf(items) }), said('wiped', items));
    },
    free: async ({ id, name }: BinItem, provider: Identity): Promise<void> => {
      const identity = t(`bin.identity.${provider}`);
      const yes = await confirm({
        title: t('bin.confirm.free', { name, identity }),
        consequence: t('bin.confirm.freeText'),
        action: t('bin.action.free', { identity }),
        danger: true,
      });
      if (yes) await done(() => freeIdentity({ id, provider }), t('bin.done.freed', { name }));
    },
  };
}
