import dashboard from './dashboard.json' with { type: 'json' };
import channels from './channels.json' with { type: 'json' };
import tokens from './tokens.json' with { type: 'json' };
import logs from './logs.json' with { type: 'json' };
import records from './records.json' with { type: 'json' };
import drawings from './drawings.json' with { type: 'json' };
import tasks from './tasks.json' with { type: 'json' };
import personal from './personal.json' with { type: 'json' };
import users from './users.json' with { type: 'json' };
import audit from './audit.json' with { type: 'json' };
import money from './money.json' with { type: 'json' };
import wallet from './wallet.json' with { type: 'json' };
import redemptions from './redemptions.json' with { type: 'json' };
import orders from './orders.json' with { type: 'json' };
import pricing from './pricing.json' with { type: 'json' };
import jobs from './jobs.json' with { type: 'json' };
import status from './status.json' with { type: 'json' };
import panels from './panels.json' with { type: 'json' };
import chat from './chat.json' with { type: 'json' };

/** Texts of the pages behind the sign-in, and of the price list. */
export const consoleTexts = {
  dashboard,
  channels,
  tokens,
  logs,
  records,
  drawings,
  tasks,
  personal,
  users,
  audit,
  money,
  wallet,
  redemptions,
  orders,
  pricing,
  status,
  jobs,
  chat,
  panels,
};
