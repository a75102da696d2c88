import about from './zh/about.json' with { type: 'json' };
import audit from './zh/audit.json' with { type: 'json' };
import bin from './zh/bin.json' with { type: 'json' };
import channels from './zh/channels.json' with { type: 'json' };
import chat from './zh/chat.json' with { type: 'json' };
import dashboard from './zh/dashboard.json' with { type: 'json' };
import docs from './zh/docs.json' with { type: 'json' };
import drawings from './zh/drawings.json' with { type: 'json' };
import firstAnswer from './zh/first-answer.json' with { type: 'json' };
import home from './zh/home.json' with { type: 'json' };
import imports from './zh/imports.json' with { type: 'json' };
import jobs from './zh/jobs.json' with { type: 'json' };
import limits from './zh/limits.json' with { type: 'json' };
import logs from './zh/logs.json' with { type: 'json' };
import manyChannels from './zh/many-channels.json' with { type: 'json' };
import money from './zh/money.json' with { type: 'json' };
import oauthCallback from './zh/oauth-callback.json' with { type: 'json' };
import orders from './zh/orders.json' with { type: 'json' };
import palette from './zh/palette.json' with { type: 'json' };
import panels from './zh/panels.json' with { type: 'json' };
import personal from './zh/personal.json' with { type: 'json' };
import playground from './zh/playground.json' with { type: 'json' };
import prices from './zh/prices.json' with { type: 'json' };
import pricing from './zh/pricing.json' with { type: 'json' };
import records from './zh/records.json' with { type: 'json' };
import redemptions from './zh/redemptions.json' with { type: 'json' };
import reset from './zh/reset.json' with { type: 'json' };
import settings from './zh/settings.json' with { type: 'json' };
import setup from './zh/setup.json' with { type: 'json' };
import status from './zh/status.json' with { type: 'json' };
import tasks from './zh/tasks.json' with { type: 'json' };
import tokens from './zh/tokens.json' with { type: 'json' };
import users from './zh/users.json' with { type: 'json' };
import wallet from './zh/wallet.json' with { type: 'json' };
import { start } from './zh/start';

/** Chinese texts. */
export const zh = {
  ...start,
  about,
  audit,
  bin,
  channels,
  chat,
  dashboard,
  docs,
  drawings,
  firstAnswer,
  home,
  imports,
  jobs,
  limits,
  logs,
  manyChannels,
  money,
  oauthCallback,
  orders,
  palette,
  panels,
  personal,
  playground,
  prices,
  pricing,
  records,
  redemptions,
  reset,
  settings,
  setup,
  status,
  tasks,
  tokens,
  users,
  wallet,
};
