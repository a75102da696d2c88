import about from './en/about.json' with { type: 'json' };
import audit from './en/audit.json' with { type: 'json' };
import bin from './en/bin.json' with { type: 'json' };
import channels from './en/channels.json' with { type: 'json' };
import chat from './en/chat.json' with { type: 'json' };
import dashboard from './en/dashboard.json' with { type: 'json' };
import docs from './en/docs.json' with { type: 'json' };
import drawings from './en/drawings.json' with { type: 'json' };
import firstAnswer from './en/first-answer.json' with { type: 'json' };
import home from './en/home.json' with { type: 'json' };
import imports from './en/imports.json' with { type: 'json' };
import jobs from './en/jobs.json' with { type: 'json' };
import limits from './en/limits.json' with { type: 'json' };
import logs from './en/logs.json' with { type: 'json' };
import manyChannels from './en/many-channels.json' with { type: 'json' };
import money from './en/money.json' with { type: 'json' };
import oauthCallback from './en/oauth-callback.json' with { type: 'json' };
import orders from './en/orders.json' with { type: 'json' };
import palette from './en/palette.json' with { type: 'json' };
import panels from './en/panels.json' with { type: 'json' };
import personal from './en/personal.json' with { type: 'json' };
import playground from './en/playground.json' with { type: 'json' };
import prices from './en/prices.json' with { type: 'json' };
import pricing from './en/pricing.json' with { type: 'json' };
import records from './en/records.json' with { type: 'json' };
import redemptions from './en/redemptions.json' with { type: 'json' };
import reset from './en/reset.json' with { type: 'json' };
import settings from './en/settings.json' with { type: 'json' };
import setup from './en/setup.json' with { type: 'json' };
import status from './en/status.json' with { type: 'json' };
import tasks from './en/tasks.json' with { type: 'json' };
import tokens from './en/tokens.json' with { type: 'json' };
import users from './en/users.json' with { type: 'json' };
import wallet from './en/wallet.json' with { type: 'json' };
import { start } from './en/start';

/** English texts; their shape is the type every other language is held to. The console itself loads them in parts: page-texts.ts. */
export const en = {
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
