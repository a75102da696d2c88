import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../../shared/dialog/confirm';
import { useCopy } from '../../shared/dialog/manual-copy';
import { toast } from '../../shared/feedback/toast';
import { useErrorText } from '../../shared/feedback/use-error-text';
import { Section } from '../../shared/page/section';
import { useFreshly } from '../../shared/identity/step-up';
import { Secret } from '../../shared/value/secret';
import { useRenewAccessToken } from './api';

/** Makes a system access token; it is seen here once and nowhere again. */
export function AccessToken() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const copy = useCopy();
  const renew = useRenewAccessToken();
  const freshly = useFreshly();
  const errorText = useErrorText();
  const generate = async () => {
    const yes = await confirm({
      title: t('personal.token.confirm'),
      consequence: t('personal.token.confirmText'),
      action: t('personal.token.generate'),
    });
    if (!yes) return;
    try {
      await copy(await freshly(() => renew.mutateAsync()), t('personal.token.done'));
    } catch (error) {
      toast('error', errorText(error));
    }
  };
  return (
    <Section title={t('personal.token.title')} explanation={t('personal.token.help')}>
      <Box sx={{ display: 'grid', gap: 1.5, justifyItems: 'start' }}>
        {renew.data !== undefined && (
          <>
            <Alert severity="info">{t('personal.token.shownOnce')}</Alert>
            <Secret value={renew.data} name={t('personal.token.name')} />
          </>
        )}
        <Button variant="outlined" loading={renew.isPending} onClick={() => void generate()}>
          {t('personal.token.generate')}
        </Button>
      </Box>
    </Section>
  );
}
