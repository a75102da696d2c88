import PersonAddAltRounded from '@mui/icons-material/PersonAddAltRounded';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, useNavigate } from 'react-router';
import { lazyDialog } from '../../shared/feedback/lazy-dialog';
import { Empty } from '../../shared/feedback/empty';
import { PageHeader } from '../../shared/page/page-header';
import { useOpenParameter } from '../../shared/page/use-open-parameter';
import { useCurrentUser } from '../../api/current-user';
import { groupsQuery } from '../../shared/session/reference-lists';
import { ColumnChooser } from '../../shared/table/column-chooser';
import { DataTable } from '../../shared/table/data-table';
import { FilterSelect } from '../../shared/table/filter-select';
import { ListToolbar } from '../../shared/table/list-toolbar';
import { SearchBox } from '../../shared/table/search-box';
import { boundFilter, filterChips, useListState } from '../../shared/table/use-list-state';
import { usersQuery, type User } from './api';
import { offeredActions, UserActions } from './user-actions';
import { useUserColumns } from './user-columns';
import { USER_STATUS } from './user.labels';

// Loaded with their page: their own content is fetched when it is opened.
export { EditUserRoute } from './user-routes';

const UserDrawer = lazyDialog(
  async () => (await import('./user-drawer')).UserDrawer,
  () => true,
);
const AdjustQuotaDialog = lazyDialog(
  async () => (await import('./adjust-quota-dialog')).AdjustQuotaDialog,
  ({ user }) => user !== null,
);
const UserSecurityDialog = lazyDialog(
  async () => (await import('./user-security-dialog')).UserSecurityDialog,
  ({ user }) => user !== null,
);

const FILTERS = { keyword: '', group: '', deregistered: '', sort: '' } as const;
/** Those that leave rows out. */
const NARROWING = ['keyword', 'group', 'deregistered'] as const;
/** Without them unless asked: they are many after a while, and nothing can be done with them but by root. */
const DEREGISTERED = ['all', 'only'] as const;

export function UsersPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const list = useListState(FILTERS, NARROWING);
  const query = useQuery(usersQuery({ ...list.filters, page: list.page, pageSize: list.pageSize }));
  const groups = useQuery(groupsQuery).data ?? [];
  const columns = useUserColumns();
  const [adding, open, close] = useOpenParameter('add');
  const actor = useCurrentUser();
  const [adjusted, setAdjusted] = useState<User | null>(null);
  const [secured, setSecured] = useState<User | null>(null);
  const deregisteredText = (which: (typeof DEREGISTERED)[number]) =>
    t(which === 'all' ? 'users.filter.allAccounts' : 'users.filter.onlyGone');
  const shown = (filter: (typeof NARROWING)[number]): string => {
    const value = list.filters[filter];
    const known = filter === 'deregistered' ? DEREGISTERED.find((each) => each === value) : undefined;
    return known === undefined ? value : deregisteredText(known);
  };
  return (
    <>
      <PageHeader
        title={t('users.title')}
        explanation={t('users.lead')}
        action={
          <>
            <Button component={Link} to="/user/tokens">
              {t('users.tokens.title')}
            </Button>
            <Button variant="contained" startIcon={<PersonAddAltRounded />} onClick={() => open('1')}>
              {t('users.add')}
            </Button>
          </>
        }
      />
      <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
        <ListToolbar
          search={<SearchBox {...boundFilter(list, 'keyword')} label={t('users.search')} width={260} />}
          filters={
            <>
              <FilterSelect
                {...boundFilter(list, 'group')}
                label={t('users.filter.group')}
                all={t('users.filter.allGroups')}
                values={groups}
              />
              <FilterSelect
                {...boundFilter(list, 'deregistered')}
                label={t('users.filter.deregistered')}
                all={t('users.filter.hideGone')}
                values={DEREGISTERED}
                text={deregisteredText}
              />
            </>
          }
          {...filterChips(list, (filter) => t(`users.chip.${filter}`, { value: shown(filter) }))}
          onRefresh={() => void query.refetch()}
          tools={<ColumnChooser table="users" columns={columns} />}
        />
        <DataTable
          name="users"
          label={t('users.listLabel')}
          columns={columns}
          query={query}
          sort={{ by: list.filters.sort, onChange: (sort) => list.setFilters({ sort }) }}
          rowId={(user) => user.id}
          rowName={(user) => user.username}
          onOpen={(user) =>
            void navigate({ pathname: `/user/edit/${user.id}`, search: window.location.search })
          }
          canOpen={(user) => actor !== null && offeredActions(actor, user).includes('edit')}
          isMuted={(user) => user.DeletedAt !== null || user.status !== USER_STATUS.active}
          actions={(user) => <UserActions user={user} onAdjustQuota={setAdjusted} onSecurity={setSecured} />}
          actionsBeside
          paging={list}
          empty={<Empty title={t('users.empty')} />}
          failedTitle={t('users.loadFailed')}
        />
      </Paper>
      {adding !== null && <UserDrawer edited="new" onClose={close} />}
      <AdjustQuotaDialog user={adjusted} onClose={() => setAdjusted(null)} />
      <UserSecurityDialog user={secured} onClose={() => setSecured(null)} />
      <Outlet />
    </>
  );
}
