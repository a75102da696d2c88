import AccountBalanceWalletRounded from '@mui/icons-material/AccountBalanceWalletOutlined';
import AssignmentRounded from '@mui/icons-material/AssignmentOutlined';
import BrushRounded from '@mui/icons-material/BrushOutlined';
import ConfirmationNumberRounded from '@mui/icons-material/ConfirmationNumberOutlined';
import DeleteOutlineRounded from '@mui/icons-material/DeleteOutlineOutlined';
import EventRepeatRounded from '@mui/icons-material/EventRepeatOutlined';
import GroupRounded from '@mui/icons-material/GroupOutlined';
import HistoryEduRounded from '@mui/icons-material/HistoryEduOutlined';
import HubRounded from '@mui/icons-material/HubOutlined';
import KeyRounded from '@mui/icons-material/KeyOutlined';
import MenuBookOutlined from '@mui/icons-material/MenuBookOutlined';
import MonitorHeartRounded from '@mui/icons-material/MonitorHeartOutlined';
import PersonRounded from '@mui/icons-material/PersonOutlineRounded';
import ReceiptLongRounded from '@mui/icons-material/ReceiptLongOutlined';
import ReceiptRounded from '@mui/icons-material/ReceiptOutlined';
import SellOutlined from '@mui/icons-material/SellOutlined';
import SpaceDashboardRounded from '@mui/icons-material/SpaceDashboardOutlined';
import SpeedRounded from '@mui/icons-material/SpeedOutlined';
import TuneRounded from '@mui/icons-material/TuneRounded';
import type { ReactNode } from 'react';
import { ROLE } from '../../api/current-user';
import type { ShownModules } from '../../shared/session/modules';
import type { ShownLogs } from '../../shared/session/status';

export interface NavigationEntry {
  readonly id:
    | 'dashboard'
    | 'tokens'
    | 'log'
    | 'drawings'
    | 'tasks'
    | 'docs'
    | 'channels'
    | 'redemptions'
    | 'orders'
    | 'users'
    | 'limits'
    | 'status'
    | 'jobs'
    | 'prices'
    | 'settings'
    | 'audit'
    | 'bin'
    | 'wallet'
    | 'personal';
  readonly path: string;
  readonly icon: ReactNode;
}

export interface NavigationGroup {
  readonly id: 'console' | 'admin' | 'personal';
  /** Smallest role that sees the group. */
  readonly atLeast: number;
  readonly entries: readonly (NavigationEntry & { atLeast?: number; log?: keyof ShownLogs })[];
}

/** The sidebar as data; entries appear here when their page exists. */
const NAVIGATION: readonly NavigationGroup[] = [
  {
    id: 'console',
    atLeast: ROLE.user,
    entries: [
      { id: 'dashboard', path: '/detail', icon: <SpaceDashboardRounded />, log: 'dashboard' },
      { id: 'tokens', path: '/token', icon: <KeyRounded /> },
      { id: 'log', path: '/log', icon: <ReceiptLongRounded /> },
      { id: 'drawings', path: '/midjourney', icon: <BrushRounded />, log: 'drawings' },
      { id: 'tasks', path: '/task', icon: <AssignmentRounded />, log: 'tasks' },
      { id: 'docs', path: '/docs', icon: <MenuBookOutlined /> },
    ],
  },
  {
    id: 'admin',
    atLeast: ROLE.administrator,
    entries: [
      { id: 'channels', path: '/channel', icon: <HubRounded /> },
      { id: 'redemptions', path: '/redemption', icon: <ConfirmationNumberRounded /> },
      { id: 'orders', path: '/order', icon: <ReceiptRounded /> },
      { id: 'users', path: '/user', icon: <GroupRounded /> },
      { id: 'limits', path: '/limit', icon: <SpeedRounded /> },
      { id: 'status', path: '/status', icon: <MonitorHeartRounded /> },
      { id: 'jobs', path: '/job', icon: <EventRepeatRounded /> },
      { id: 'prices', path: '/prices', icon: <SellOutlined /> },
      { id: 'settings', path: '/setting', icon: <TuneRounded /> },
      { id: 'audit', path: '/audit', icon: <HistoryEduRounded />, atLeast: ROLE.root },
      { id: 'bin', path: '/bin', icon: <DeleteOutlineRounded />, atLeast: ROLE.root },
    ],
  },
  {
    id: 'personal',
    atLeast: ROLE.user,
    entries: [
      { id: 'wallet', path: '/topup', icon: <AccountBalanceWalletRounded /> },
      { id: 'personal', path: '/personal', icon: <PersonRounded /> },
    ],
  },
];

/** Groups and entries a role may see, without the pages the operator does not show. */
export function navigationFor(role: number, shown: ShownLogs, modules: ShownModules): NavigationGroup[] {
  return NAVIGATION.filter((group) => role >= group.atLeast).map((group) => ({
    ...group,
    entries: group.entries.filter(
      ({ atLeast = group.atLeast, log, path }) =>
        role >= atLeast && (log === undefined || shown[log]) && modules.entry(path),
    ),
  }));
}
