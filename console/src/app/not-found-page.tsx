import Button from '@mui/material/Button';
import ExploreOffRounded from '@mui/icons-material/ExploreOffRounded';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from '../shared/feedback/empty';

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <Empty
      isPage
      icon={<ExploreOffRounded />}
      title={t('shell.notFound.title')}
      explanation={t('shell.notFound.explanation')}
      action={
        <Button component={Link} to="/" variant="outlined">
          {t('shell.notFound.home')}
        </Button>
      }
    />
  );
}
