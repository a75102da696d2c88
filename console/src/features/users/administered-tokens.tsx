import KeyOutlined from '@mui/icons-material/KeyOutlined';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AccountLink } from '../../shared/accounts/account-link';
import { useConfirm } from '../../shared/dialog/confirm';
import { Empty } from '../../shared/feedback/empty';
import { toast } from '../../shared/feedback/toast';
import { MONO } from '../../shared/format/mono';
import { DataTable } from '../../shared/table/data-table';
import type { Column } from '../../shared/table/columns';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, useListState } from '../../shared/table/use-list-state';
import { Clipped } from '../../shared/value/clipped';
import { Moment } from '../../shared/value/moment';
import { Quota } from '../../shared/value/quota';
import { type AdministeredToken, administeredTokensQuery, useUnlockToken } from './administered-tokens.api';
import { FindTokenDialog, LockTokenDialog } from './token-lock-dialogs';
import { TokenState } from './token-state';

const FILTERS = { owner: '', prefix: '' } as const;

/** Tokens of one account, or of all within reach: found by owner, beginning or whole key, and locked. */
export function AdministeredTokens({ userId = 0 }: { userId?: number }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const list = useListState(FILTERS);
  const query = useQuery(
    administeredTokensQuery({ userId, ...list.filters, page: list.page, pageSize: list.pageSize }),
  );
  const columns = useColumns(userId === 0);
  const unlock = useUnlockToken();
  const [locked, setLocked] = useState<AdministeredToken | null>(null);
  const [isFinding, setFinding] = useState(false);

  const askAndUnlock = async ({ id, name }: AdministeredToken) => {
    const yes = await confirm({
      title: t('users.tokens.unlockTitle', { name }),
      consequence: t('users.tokens.unlockText'),
      action: t('users.tokens.unlock'),
    });
    if (yes) unlock.mutate(id, { onSuccess: () => toast('success', t('users.done')) });
  };

  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
      <ListToolbar
        search={
          userId === 0 ? (
            <SearchBox {...boundFilter(list, 'owner')} label={t('users.tokens.owner')} />
          ) : (
            <SearchBox {...boundFilter(list, 'prefix')} label={t('users.tokens.prefix')} />
          )
        }
        filters={
          userId === 0 && (
            <SearchBox {...boundFilter(list, 'prefix')} label={t('users.tokens.prefix')} width={200} />
          )
        }
        {...filterChips(list, (filter) => t(`users.tokens.chip.${filter}`, { value: list.filters[filter] }))}
        onRefresh={() => void query.refetch()}
        tools={
          <Button size="small" startIcon={<KeyOutlined />} onClick={() => setFinding(true)}>
            {t('users.tokens.find')}
          </Button>
        }
      />
      {query.data?.is_complete === false && <Alert severity="warning">{t('users.tokens.incomplete')}</Alert>}
      <DataTable
        name="administered-tokens"
        label={t('users.tokens.label')}
        columns={columns}
        query={query}
        rowId={(token) => token.id}
        rowName={(token) => token.name}
        isMuted={(token) => token.status !== 1}
        actions={(token) =>
          token.lock === null ? (
            <Button size="small" color="error" onClick={() => setLocked(token)}>
              {t('users.tokens.lock')}
            </Button>
          ) : (
            <Button size="small" onClick={() => void askAndUnlock(token)}>
              {t('users.tokens.unlock')}
            </Button>
          )
        }
        paging={list}
        empty={<Empty icon={<KeyOutlined />} title={t('users.tokens.empty')} />}
        failedTitle={t('users.tokens.loadFailed')}
      />
      <LockTokenDialog token={locked} onClose={() => setLocked(null)} />
      <FindTokenDialog open={isFinding} onClose={() => setFinding(false)} onLock={setLocked} />
    </Paper>
  );
}

function useColumns(hasOwner: boolean): Column<AdministeredToken>[] {
  const { t } = useTranslation();
  const owner: Column<AdministeredToken> = {
    id: 'owner',
    label: t('users.tokens.column.owner'),
    card: 'line',
    render: (token) => <AccountLink id={token.user_id} name={token.username} />,
  };
  return [
    {
      id: 'name',
      label: t('users.tokens.column.name'),
      choosable: false,
      card: 'title',
      render: (token) => <Clipped text={token.name} maxWidth={200} />,
    },
    ...(hasOwner ? [owner] : []),
    {
      id: 'key',
      label: t('users.tokens.column.key'),
      render: (token) => (
        <span style={{ fontFamily: MONO, fontSize: 12.5 }}>
          {token.key_mask === '' ? '–' : `sk-${token.key_mask}`}
        </span>
      ),
    },
    {
      id: 'status',
      label: t('users.tokens.column.status'),
      card: 'aside',
      render: (token) => <TokenState token={token} />,
    },
    {
      id: 'used',
      label: t('users.tokens.column.used'),
      align: 'right',
      card: 'line',
      render: (token) => <Quota value={token.used_quota} />,
    },
    {
      id: 'lastUsed',
      label: t('users.tokens.column.lastUsed'),
      render: (token) => <Moment seconds={token.last_used_time} />,
    },
  ];
}
