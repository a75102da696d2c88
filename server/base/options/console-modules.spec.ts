import { describe, expect, it } from '@jest/globals';
import { ALL_HEADER_MODULES, ALL_SIDEBAR_MODULES, headerModules, sidebarModules } from './console-modules.js';

describe('parts of the header', () => {
  it('shows all by default, and opens the price list', () => {
    expect(ALL_HEADER_MODULES).toEqual({
      home: true,
      console: true,
      docs: true,
      about: true,
      pricing: { enabled: true, requireAuth: false },
    });
  });

  it.each([
    [{ pricing: false }, { enabled: false, requireAuth: false }],
    [{ pricing: true }, { enabled: true, requireAuth: false }],
    [{ pricing: { requireAuth: true } }, { enabled: true, requireAuth: true }],
  ])('reads %j as earlier consoles wrote it', (given, pricing) => {
    expect(headerModules.parse(given).pricing).toEqual(pricing);
  });

  it('keeps modules of other consoles, and refuses values that are no switch', () => {
    expect(headerModules.parse({ shop: false, wiki: { open: true } })).toMatchObject({
      shop: false,
      wiki: { open: true },
    });
    expect(headerModules.safeParse({ home: 'yes' }).success).toBe(false);
    expect(headerModules.safeParse({ shop: 'yes' }).success).toBe(false);
  });
});

describe('parts of the side bar', () => {
  it('shows all by default', () => {
    const switches = Object.values(ALL_SIDEBAR_MODULES).flatMap((section) => Object.values(section));
    expect(switches.length).toBeGreaterThan(15);
    expect(switches.every(Boolean)).toBe(true);
  });

  it('keeps enabled pages when one is switched off', () => {
    expect(sidebarModules.parse({ admin: { order: false } }).admin).toMatchObject({
      enabled: true,
      order: false,
      user: true,
    });
  });

  it('keeps sections and pages that another console knows', () => {
    expect(sidebarModules.parse({ shop: { enabled: false }, chat: { canvas: false } })).toMatchObject({
      shop: { enabled: false },
      chat: { canvas: false, playground: true },
    });
  });
});
