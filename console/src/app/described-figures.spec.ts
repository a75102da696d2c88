import { afterEach, describe, expect, it } from '@jest/globals';
import { ACTIONS as DRAWING_ACTIONS, CODE_TONES, STATUS_TONES } from '../features/drawings/drawing.labels';
import { channelStatus } from '../features/channels/channel.labels';
import { logType } from '../features/logs/log.labels';
import { redemptionStatus } from '../features/redemptions/redemption.labels';
import { NEW_REDEMPTION } from '../features/redemptions/redemption.schema';
import { ACTIONS as TASK_ACTIONS, PLATFORM_NAMES, taskStatus } from '../features/tasks/task.labels';
import { tokenStatus } from '../features/tokens/token.labels';
import { COUNT_PRESETS, NEW_TOKEN } from '../features/tokens/token.schema';
import { canBeEnabled, roleWord, userStatus } from '../features/users/user.labels';
import { PAGE_SIZES, storedPageSize } from '../shared/browser/stored';
import { durationTone, firstTokenTone, responseTimeTone } from '../shared/format/duration';
import { USUAL_AMOUNTS } from '../shared/money/quota-field';
import { NARROW_PX, WIDE_PX } from './shell/sidebar-width';

afterEach(() => localStorage.clear());

describe('figures that the specification gives', () => {
  it('offers pages of 10, 20, 50 or 100 rows, starts with 10 and keeps the choice under page-size', () => {
    expect(PAGE_SIZES).toEqual([10, 20, 50, 100]);
    expect(storedPageSize.read()).toBe(10);
    storedPageSize.write(50);
    expect(localStorage.getItem('page-size')).toBe('50');
    localStorage.setItem('page-size', '7');
    expect(storedPageSize.read()).toBe(10);
  });

  it('amounts of a token are offered from 1 to 1000 dollars, half a million quota each', () => {
    expect(USUAL_AMOUNTS.map((quota) => quota / 500_000)).toEqual([1, 10, 50, 100, 500, 1_000]);
  });

  it('a new token has 500,000 quota, one of them is made, and 10, 20, 30 or 100 are offered', () => {
    expect(NEW_TOKEN).toMatchObject({ quota: 500_000, count: 1, expires: undefined });
    expect(COUNT_PRESETS).toEqual([10, 20, 30, 100]);
  });

  it('a new code is worth 100,000 quota and is made once', () => {
    expect(NEW_REDEMPTION).toMatchObject({ quota: 100_000, count: 1 });
  });

  it('the sidebar is 200 pixels wide, 60 collapsed', () => {
    expect([WIDE_PX, NARROW_PX]).toEqual([200, 60]);
  });

  it('response times are green up to 1 s, lime to 3 s, yellow to 5 s, red above', () => {
    expect([1_000, 1_001, 3_000, 3_001, 5_000, 5_001].map(responseTimeTone)).toEqual([
      'fast',
      'fair',
      'fair',
      'slow',
      'slow',
      'bad',
    ]);
  });

  it('durations of calls are green under 101 s, orange under 300 s, red from there', () => {
    expect([100, 101, 299, 300].map(durationTone)).toEqual(['fast', 'slow', 'slow', 'bad']);
  });

  it('times to the first token are green under 3 s, orange under 10 s, red from there', () => {
    expect([2_999, 3_000, 9_999, 10_000].map(firstTokenTone)).toEqual(['fast', 'slow', 'slow', 'bad']);
  });

  it('roles are 1 user, 10 administrator, 100 root, and any other is unknown', () => {
    expect([1, 10, 100, 5].map(roleWord)).toEqual(['user', 'administrator', 'root', 'unknown']);
  });

  it('states of an account are 1 active, 2 banned, any other unknown, and 3 cannot be enabled', () => {
    const word = (status: number) => userStatus({ status, DeletedAt: null }).word;
    expect([1, 2, 3].map(word)).toEqual(['active', 'banned', 'unknown']);
    expect([1, 2, 3].map(canBeEnabled)).toEqual([false, true, false]);
  });

  it('states of a channel are 1 enabled, 2 disabled, 3 disabled automatically', () => {
    expect([1, 2, 3, 0].map((status) => channelStatus(status).word)).toEqual([
      'enabled',
      'disabled',
      'auto',
      'unknown',
    ]);
  });

  it('states of a token are 1 enabled, 2 disabled, 3 expired, 4 exhausted', () => {
    expect([1, 2, 3, 4, 5].map((status) => tokenStatus(status).word)).toEqual([
      'enabled',
      'disabled',
      'expired',
      'exhausted',
      'unknown',
    ]);
  });

  it('states of a code are 1 unused, 2 disabled, 3 used', () => {
    expect([1, 2, 3].map((status) => redemptionStatus({ status, expired_time: 0 }, 0).word)).toEqual([
      'unused',
      'disabled',
      'used',
    ]);
  });

  it('types of a log line are 1 top-up, 2 consumption, 3 administration, 4 system, 5 error', () => {
    expect([0, 1, 2, 3, 4, 5].map((type) => logType(type).word)).toEqual([
      'unknown',
      'topUp',
      'consumption',
      'administration',
      'system',
      'error',
    ]);
  });

  it('actions, submit codes and states of drawings are those of the specification', () => {
    expect(DRAWING_ACTIONS.join(' ')).toBe(
      'IMAGINE UPSCALE VARIATION HIGH_VARIATION LOW_VARIATION PAN DESCRIBE BLEND UPLOAD SHORTEN REROLL INPAINT ZOOM CUSTOM_ZOOM MODAL SWAP_FACE',
    );
    expect(Object.keys(CODE_TONES)).toEqual(['0', '1', '21', '22']);
    expect(Object.keys(STATUS_TONES).join(' ')).toBe('NOT_START SUBMITTED IN_PROGRESS SUCCESS FAILURE MODAL');
  });

  it('actions, platforms and states of tasks are those of the specification', () => {
    expect(TASK_ACTIONS).toEqual(['MUSIC', 'LYRICS']);
    expect(Object.keys(PLATFORM_NAMES)).toEqual(['suno']);
    const states = ['NOT_START', 'SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'UNKNOWN'];
    expect(states.map(taskStatus)).toEqual(states);
    expect(taskStatus('')).toBe('sending');
  });
});
