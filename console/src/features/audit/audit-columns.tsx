import FilterAltOutlined from '@mui/icons-material/FilterAltOutlined';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { MONO } from '../../shared/format/mono';
import type { Column } from '../../shared/table/columns';
import { Moment } from '../../shared/value/moment';
import type { AuditEvent } from './api';
import { actorText, auditSummary } from './audit-detail';
import type { AuditFilterName } from './audit-filters';
import { targetAccount, targetText } from './audit.labels';
import { useAuditTexts } from './use-audit-texts';
import { useActionName } from '../../shared/audit-actions/use-action-name';

interface ColumnTools {
  onFilter: (patch: Partial<Record<AuditFilterName, string>>) => void;
}

export function useAuditColumns({ onFilter }: ColumnTools): Column<AuditEvent>[] {
  const { t, i18n } = useTranslation();
  const actionName = useActionName();
  const wordsFor = useAuditTexts();
  /** An account is a link to its page with a filter beside it; everything else filters by a press on its name. */
  const filterButton = (
    { label, text }: { label: string; text: string },
    patch: Partial<Record<AuditFilterName, string>>,
    accountId: number,
  ) => {
    const name = t('audit.onlyThis', { name: label, value: text });
    if (accountId > 0)
      return (
        <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5 }}>
          <AccountLink id={accountId} text={text} />
          <IconButton
            size="small"
            aria-label={name}
            onClick={(event) => (event.stopPropagation(), onFilter(patch))}
          >
            <FilterAltOutlined sx={{ fontSize: 16 }} />
          </IconButton>
        </Box>
      );
    return (
      <ButtonBase
        onClick={() => onFilter(patch)}
        aria-label={name}
        sx={{ font: 'inherit', borderRadius: '6px', '&:hover': { textDecoration: 'underline' } }}
      >
        {text}
      </ButtonBase>
    );
  };
  return [
    {
      id: 'sequence',
      label: t('audit.column.sequence'),
      width: 72,
      render: (event) => (
        <Box sx={{ fontFamily: MONO, fontSize: 12.5, color: 'text.secondary' }}>{event.sequence}</Box>
      ),
    },
    {
      id: 'time',
      label: t('audit.column.time'),
      card: 'aside',
      render: (event) => <Moment seconds={event.created_at} />,
    },
    {
      id: 'action',
      label: t('audit.column.action'),
      choosable: false,
      card: 'title',
      render: (event) => (
        <Box sx={{ display: 'grid' }}>
          {actionName(event.action)}
          {actionName(event.action) !== event.action && (
            <Box component="span" sx={{ fontFamily: MONO, fontSize: 11.5, color: 'text.secondary' }}>
              {event.action}
            </Box>
          )}
        </Box>
      ),
    },
    {
      id: 'actor',
      label: t('audit.column.actor'),
      card: 'line',
      render: (event) =>
        filterButton(
          {
            label: t('audit.column.actor'),
            text: actorText(event, { system: t('audit.system'), guest: t('audit.guest') }),
          },
          { actor: String(event.actor_id) },
          event.actor_id,
        ),
    },
    {
      id: 'target',
      label: t('audit.column.target'),
      card: 'line',
      render: (event) =>
        filterButton(
          { label: t('audit.column.target'), text: targetText(event, i18n) },
          { type: event.target_type, target: event.target_id },
          targetAccount(event),
        ),
    },
    {
      id: 'detail',
      label: t('audit.column.detail'),
      fills: true,
      render: (event) => (
        <Box component="span" sx={{ display: 'block', overflow: 'hidden', textOverflow: 'ellipsis' }}>
          {auditSummary(event.detail, wordsFor(event))}
        </Box>
      ),
    },
    {
      id: 'ip',
      label: t('audit.column.ip'),
      hiddenAtFirst: true,
      render: (event) => <Box sx={{ fontFamily: MONO, fontSize: 12.5 }}>{event.ip}</Box>,
    },
  ];
}
