/** Parts of the shell that only signed-in people see, in one file. */
export { AccountMenu } from './account-menu';
export { ShortcutKeys } from '../palette/shortcut-keys';
export { NoticeBell } from './notice-bell';
export { Sidebar } from './sidebar';
