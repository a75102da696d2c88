import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { OperatorContent } from '../../shared/page/operator-content';
import { isRoot, useCurrentUser } from '../../api/current-user';
import { useShownModules } from '../../shared/session/modules';
import { useStatus, useSystemName } from '../../shared/session/status';
import { isTooMany } from '../../api/api-error';
import { aboutContentQuery } from './api';

/** The operator's text about the instance; public. */
export function AboutPage() {
  const { t } = useTranslation();
  const name = useSystemName();
  const { data, error, isPending, isError, refetch } = useQuery(aboutContentQuery);
  if (isPending) return <Loading />;
  if (isError && !isTooMany(error))
    return <Failed title={t('about.failed')} error={error} onRetry={() => void refetch()} />;
  const content = data?.trim() ?? '';
  return (
    <>
      <title>{`${t('about.title')} · ${name}`}</title>
      {content === '' ? (
        <PlainAbout />
      ) : (
        <OperatorContent content={content} frameTitle={t('about.frameTitle')} />
      )}
    </>
  );
}

function PlainAbout() {
  const { t } = useTranslation();
  const name = useSystemName();
  const modules = useShownModules();
  const version = useStatus()?.version ?? '';
  const mayAct = isRoot(useCurrentUser());
  return (
    <Box
      sx={{ maxWidth: 640, mx: 'auto', py: { xs: 3, sm: 6 }, display: 'grid', gap: 2, justifyItems: 'start' }}
    >
      <Typography variant="h1">{name}</Typography>
      <Typography color="textSecondary">{t('about.lead', { name })}</Typography>
      {version !== '' && (
        <Typography variant="body2" color="textSecondary">
          {t('about.version', { version })}
        </Typography>
      )}
      <Typography variant="body2" color="textSecondary">
        {t('about.trademarks')}
      </Typography>
      {modules.page('/pricing') && (
        <Button component={Link} to="/pricing" variant="outlined" size="small">
          {t('about.pricing')}
        </Button>
      )}
      {mayAct && (
        <Typography variant="body2" color="textSecondary">
          <Link to="/setting?tab=other">{t('about.edit')}</Link>
        </Typography>
      )}
    </Box>
  );
}
