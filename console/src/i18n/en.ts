import common from './en/common.json';
import shell from './en/shell.json';
import signIn from './en/sign-in.json';
import setup from './en/setup.json';
import home from './en/home.json';
import dashboard from './en/dashboard.json';
import channels from './en/channels.json';
import tokens from './en/tokens.json';
import logs from './en/logs.json';
import settings from './en/settings.json';
import personal from './en/personal.json';
import users from './en/users.json';

/** English texts; their shape is the type every other language is held to. */
export const en = {
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
