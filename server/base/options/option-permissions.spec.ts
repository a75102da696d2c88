import { describe, expect, it } from '@jest/globals';
import {
  assertGiftsWithin,
  assertMayChangeOptions,
  isForRootAlone,
  mayChangeOption,
  isOptionKey,
  OPTION_CATALOGUE,
  OPTION_FALLBACKS,
  type OptionKey,
} from './option-catalogue.js';
import { isSectionToTick } from './option-sections.js';

const [USER, ADMIN, ROOT] = [1, 10, 100];
const KEYS = Object.keys(OPTION_CATALOGUE).filter(isOptionKey);
const SECTIONS = [...new Set(KEYS.map((key) => OPTION_CATALOGUE[key].section))].filter(isSectionToTick);
const ALL = { AdministratorSections: SECTIONS };
const NONE = { AdministratorSections: [] };
const keyOfOthers = KEYS.find((key) => !isForRootAlone(key)) as OptionKey;

describe('mayChangeOption', () => {
  it('lets root change everything, and users nothing', () => {
    expect(KEYS.filter((key) => !mayChangeOption(ROOT, key, NONE))).toEqual([]);
    expect(KEYS.filter((key) => mayChangeOption(USER, key, ALL))).toEqual([]);
  });

  it('leaves the quota of a paid dollar to root, whatever is ticked', () => {
    expect(mayChangeOption(ADMIN, 'QuotaPerUnit', ALL)).toBe(false);
  });

  it('lets administrators change what root ticked, and no secret', () => {
    expect(mayChangeOption(ADMIN, keyOfOthers, ALL)).toBe(true);
    expect(mayChangeOption(ADMIN, keyOfOthers, NONE)).toBe(false);
    const secrets = KEYS.filter((key) => OPTION_CATALOGUE[key].class === 'secret');
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter((key) => mayChangeOption(ADMIN, key, ALL))).toEqual([]);
  });
});

describe('assertMayChangeOptions', () => {
  it('reports an unknown key to administrators, and nothing to users', () => {
    expect(() => assertMayChangeOptions(ADMIN, ['NoSuchOption'], ALL)).toThrow(
      expect.objectContaining({ code: 'option_unknown' }),
    );
    expect(() => assertMayChangeOptions(USER, ['NoSuchOption'], ALL)).toThrow(
      expect.objectContaining({ code: 'not_permitted' }),
    );
  });

  it('refuses all when one of them is not the caller’s', () => {
    const secret = KEYS.find(isForRootAlone) as OptionKey;
    expect(() => assertMayChangeOptions(ADMIN, [keyOfOthers, secret], ALL)).toThrow(
      expect.objectContaining({ code: 'not_permitted' }),
    );
    expect(() => assertMayChangeOptions(ROOT, [keyOfOthers, secret], NONE)).not.toThrow();
  });
});

describe('assertGiftsWithin', () => {
  const current = { ...OPTION_FALLBACKS, AdministratorAdjustmentLimit: 1_000, QuotaForInviter: 5_000 };

  it.each([
    [ADMIN, { QuotaForNewUser: 1_000 }, undefined],
    [ADMIN, { QuotaForNewUser: 1_001 }, 'QuotaForNewUser'],
    [ADMIN, { QuotaForInvitee: 1_001 }, 'QuotaForInvitee'],
    [ADMIN, { QuotaForInviter: 5_001 }, 'QuotaForInviter'],
    [ADMIN, { QuotaForInviter: 4_000 }, undefined],
    [ADMIN, { QuotaRemindThreshold: 9_000 }, undefined],
    [ROOT, { QuotaForNewUser: 1_001 }, undefined],
  ])('bounds for role %i the gifts %j: %s', (role, changes, key) => {
    const attempt = () => assertGiftsWithin(role, { ...current, ...changes }, current);
    if (key === undefined) expect(attempt).not.toThrow();
    else
      expect(attempt).toThrow(
        expect.objectContaining({ code: 'gift_too_large', values: { key, limit: 1_000 } }),
      );
  });

  it.each([
    [0, 500, 500],
    [1_000, 500, 500],
    [1_000, 5_000, 1_000],
  ])('bounds a gift by the smaller limit: %i at once, %i a day', (atOnce, aDay, limit) => {
    const limited = {
      ...current,
      AdministratorAdjustmentLimit: atOnce,
      AdministratorDailyQuotaLimit: aDay,
    };
    const set = (QuotaForNewUser: number) => () =>
      assertGiftsWithin(ADMIN, { ...limited, QuotaForNewUser }, limited);
    expect(set(limit)).not.toThrow();
    expect(set(limit + 1)).toThrow(
      expect.objectContaining({ code: 'gift_too_large', values: { key: 'QuotaForNewUser', limit } }),
    );
  });

  it('bounds nothing without a limit', () => {
    const open = { ...current, AdministratorAdjustmentLimit: 0 };
    expect(() => assertGiftsWithin(ADMIN, { ...open, QuotaForNewUser: 9_000 }, open)).not.toThrow();
  });
});
