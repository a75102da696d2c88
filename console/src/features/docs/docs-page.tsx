import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { useCurrentUser } from '../../api/current-user';
import { currentLanguage } from '../../i18n';
import { basePath } from '../../shared/browser/base-path';
import { Failed } from '../../shared/feedback/failed';
import { Loading } from '../../shared/feedback/loading';
import { useExampleModel } from '../../shared/session/example-model';
import { usableModelsQuery } from '../../shared/session/reference-lists';
import { useSystemName } from '../../shared/session/status';
import { GUIDES, guideQuery, ownKeyQuery, type Guide } from './api';
import { GuideBody } from './guide-body';
import { fillGuide } from './guide-text';

/** Guides for developers, with the address of this installation in every example. */
export function DocsPage() {
  const { t } = useTranslation();
  const { name = 'start' } = useParams();
  const systemName = useSystemName();
  const guide = GUIDES.find((each) => each === name);
  if (guide === undefined) return <Navigate to="/docs" replace />;
  return (
    <Box sx={{ maxWidth: 1080, mx: 'auto', px: { xs: 0, sm: 1 }, py: 1 }}>
      <title>{`${t(`docs.guide.${guide}`)} · ${t('docs.title')} · ${systemName}`}</title>
      <Box
        sx={{
          display: 'grid',
          gap: 3,
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', md: '180px minmax(0, 1fr)' },
        }}
      >
        <GuideList current={guide} />
        <GuideView key={guide} guide={guide} />
      </Box>
    </Box>
  );
}

function GuideList({ current }: { current: Guide }) {
  const { t } = useTranslation();
  return (
    <Box
      component="nav"
      aria-label={t('docs.list')}
      sx={{ position: { md: 'sticky' }, top: 72, alignSelf: 'start' }}
    >
      <Box
        component="ul"
        sx={{
          listStyle: 'none',
          m: 0,
          p: 0,
          display: 'flex',
          flexDirection: { md: 'column' },
          flexWrap: 'wrap',
          gap: 0.5,
        }}
      >
        {GUIDES.map((guide) => (
          <li key={guide}>
            <Button
              component={Link}
              to={`/docs/${guide}`}
              size="small"
              color="inherit"
              aria-current={guide === current ? 'page' : undefined}
              sx={{
                justifyContent: 'flex-start',
                width: { md: '100%' },
                color: guide === current ? 'text.primary' : 'text.secondary',
                bgcolor: guide === current ? 'soft.accent' : undefined,
              }}
            >
              {t(`docs.guide.${guide}`)}
            </Button>
          </li>
        ))}
      </Box>
    </Box>
  );
}

function GuideView({ guide }: { guide: Guide }) {
  const { t } = useTranslation();
  const isSignedIn = useCurrentUser() !== null;
  const [withKey, setWithKey] = useState(false);
  const { data, error, isPending, refetch } = useQuery(guideQuery(guide, currentLanguage()));
  const models = useQuery({ ...usableModelsQuery, enabled: isSignedIn }).data ?? [];
  const model = useExampleModel(models);
  const key = useQuery({ ...ownKeyQuery, enabled: isSignedIn && withKey });
  if (isPending) return <Loading />;
  if (data === undefined)
    return <Failed title={t('docs.failed')} error={error} onRetry={() => void refetch()} />;
  const shownKey = withKey ? (key.data ?? undefined) : undefined;
  return (
    <Box component="article" sx={{ minWidth: 0, maxWidth: 820 }}>
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          gap: 1,
          justifyContent: { xs: 'flex-start', sm: 'flex-end' },
          // On a wide window the heading stands beside the buttons.
          mb: { xs: 2, sm: -1 },
        }}
      >
        {isSignedIn && (
          <Button size="small" variant="outlined" aria-pressed={withKey} onClick={() => setWithKey(!withKey)}>
            {withKey ? t('docs.hideKey') : t('docs.showKey')}
          </Button>
        )}
        <Button
          size="small"
          color="inherit"
          href={`${basePath()}/docs/${guide}.md?lang=${currentLanguage()}`}
        >
          {t('docs.markdown')}
        </Button>
      </Box>
      {withKey && key.data === null && (
        <Typography variant="body2" role="status" sx={{ color: 'warning.main', mt: 1.5 }}>
          {t('docs.noKey')} <Link to="/token?edit=new">{t('docs.createKey')}</Link>
        </Typography>
      )}
      <GuideBody
        text={fillGuide(data, {
          ...(shownKey !== undefined && { key: shownKey }),
          ...(models.length > 0 && { model }),
        })}
      />
    </Box>
  );
}
