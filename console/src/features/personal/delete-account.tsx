import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { Section } from '../../shared/page/section';
import { storedUser } from '../../api/current-user';
import { useFreshly } from '../../shared/identity/step-up';
import { useDeleteSelf } from './api';

export function DeleteAccount({ username }: { username: string }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const remove = useDeleteSelf();
  const freshly = useFreshly();
  const errorText = useErrorText();
  const askAndDelete = async () => {
    const yes = await confirm({
      title: t('personal.delete.confirm'),
      consequence: t('personal.delete.confirmText'),
      action: t('personal.delete.action'),
      danger: true,
      typeToConfirm: username,
    });
    if (!yes) return;
    try {
      await freshly(() => remove.mutateAsync(username));
    } catch (error) {
      toast('error', errorText(error));
      return;
    }
    toast('success', t('personal.delete.done'));
    storedUser.clear();
    await navigate('/login');
  };
  return (
    <Section title={t('personal.delete.title')} explanation={t('personal.delete.help')}>
      <Button variant="outlined" color="error" loading={remove.isPending} onClick={() => void askAndDelete()}>
        {t('personal.delete.action')}
      </Button>
    </Section>
  );
}
