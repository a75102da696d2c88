/** Parts of the shell that only signed-in people see, in one file. */
export { AccountMenu } from './account-menu';
export { CommandPalette } from './command-palette';
export { NavigationSheet } from './navigation-sheet';
export { Sidebar } from './sidebar';
