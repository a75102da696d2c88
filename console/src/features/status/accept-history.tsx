import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { useFreshly } from '../../shared/identity/step-up';
import { useAcceptHistory } from './api';

/** For root: the database stays as it is, and what was seen of it since is given up. */
export function AcceptHistory() {
  const { t } = useTranslation();
  const mayAct = isRoot(useCurrentUser());
  const confirm = useConfirm();
  const freshly = useFreshly();
  const errorText = useErrorText();
  const accept = useAcceptHistory();
  if (!mayAct) return null;
  const submit = async () => {
    const yes = await confirm({
      title: t('status.behind.question'),
      consequence: t('status.behind.consequence'),
      action: t('status.behind.accept'),
      danger: true,
    });
    if (!yes) return;
    try {
      await freshly(() => accept.mutateAsync());
      toast('success', t('status.behind.accepted'));
    } catch (error) {
      toast('error', errorText(error));
    }
  };
  return (
    <Button
      variant="outlined"
      color="error"
      size="small"
      sx={{ justifySelf: 'start', mt: 0.5 }}
      loading={accept.isPending}
      onClick={() => void submit()}
    >
      {t('status.behind.accept')}
    </Button>
  );
}
