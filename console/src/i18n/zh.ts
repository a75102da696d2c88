import common from './zh/common.json';
import shell from './zh/shell.json';
import signIn from './zh/sign-in.json';
import setup from './zh/setup.json';
import home from './zh/home.json';
import dashboard from './zh/dashboard.json';
import channels from './zh/channels.json';
import tokens from './zh/tokens.json';
import logs from './zh/logs.json';
import settings from './zh/settings.json';
import personal from './zh/personal.json';
import users from './zh/users.json';

/** Chinese texts. */
export const zh = {
  common,
  shell,
  signIn,
  setup,
  home,
  dashboard,
  channels,
  tokens,
  logs,
  settings,
  personal,
  users,
};
