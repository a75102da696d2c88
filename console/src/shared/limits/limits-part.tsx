import AddRounded from '@mui/icons-material/AddRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyDialog } from '../feedback/lazy-dialog';
import { Section } from '../page/section';
import { LimitList } from './limit-list';
import { limitRightsQuery, type LimitTarget, ownLimitsQuery, targetLimitsQuery } from './limits.api';

const LimitDrawer = lazyDialog(
  async () => (await import('./limit-drawer')).LimitDrawer,
  () => true,
);

interface LimitsPartProps {
  target: LimitTarget;
  /** The reader's own token: read as its owner. */
  isOwn?: boolean;
  /** With a border, as a part of a page. */
  boxed?: boolean;
  /** Heading where a drawer has several parts; such a part is shown without limits as well. */
  title?: string;
}

/** Limits of one token, account or channel, in its drawer or on its page, with a button that adds one. */
export function LimitsPart({ target, isOwn = false, boxed = false, title }: LimitsPartProps) {
  const { t } = useTranslation();
  const own = useQuery({ ...ownLimitsQuery(Number(target.subject)), enabled: isOwn });
  const others = useQuery({ ...targetLimitsQuery(target), enabled: !isOwn });
  const rights = useQuery(limitRightsQuery);
  const [edited, setEdited] = useState<'new' | number | null>(null);
  const limits = isOwn
    ? own.data?.filter(
        ({ scope, each, subject }) => scope === 'token' && (each || subject === target.subject),
      )
    : others.data;
  const maySet = rights.data?.scopes.includes(target.scope) === true;
  if (limits === undefined || (limits.length === 0 && !maySet && title === undefined)) return null;
  const heading = title ?? t('limits.part');
  const part = (
    <Box component="section" aria-label={heading} sx={{ display: 'grid', gap: 1.25 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <Typography variant="h3">{heading}</Typography>
        {maySet && (
          <Button size="small" startIcon={<AddRounded />} onClick={() => setEdited('new')}>
            {t('limits.add')}
          </Button>
        )}
      </Box>
      {limits.length === 0 ? (
        <Typography variant="body2" color="textSecondary">
          {t('limits.none')}
        </Typography>
      ) : (
        <LimitList limits={limits} onEdit={({ id }) => setEdited(id)} />
      )}
      {edited !== null && (
        <LimitDrawer key={edited} edited={edited} target={target} onClose={() => setEdited(null)} />
      )}
    </Box>
  );
  return boxed ? <Section>{part}</Section> : part;
}
