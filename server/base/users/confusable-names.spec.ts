import { describe, expect, it } from '@jest/globals';
import { skeletonOf, isConfusableWithOfficial } from './confusable-names.js';

describe('names that look alike', () => {
  it.each([
    'admin',
    'Admin',
    'a.d.m.i.n',
    '-admin_',
    'ａｄｍｉｎ',
    'аdmіn',
    'ádmin',
    'adm1n',
    '4dmin',
    'adrnin',
    'aclmin',
    'ｒｏｏｔ',
    'r00t',
    'ro.ot',
    'rооt',
    'ROOT ',
    'tol1gate',
    'toIIgate',
    'sуstem',
    '5upp0rt',
    'guеst',
    'modérator',
    'nuii',
  ])('detects that %s looks official', (name) => expect(isConfusableWithOfficial(name)).toBe(true));

  it.each([
    'ada',
    'adminton',
    'roots',
    'rooter',
    'system2000',
    'supporter',
    'guesthouse',
    'nullpointer',
    '管理',
    '',
  ])('accepts %s, which does not look official', (name) =>
    expect(isConfusableWithOfficial(name)).toBe(false),
  );

  it('gives names one skeleton whatever their case, width, dots and accents, and different names another', () => {
    const same = ['mia.weber', 'MIA-WEBER', 'ｍｉａｗｅｂｅｒ', 'míaweber', 'm1a_vveber', 'мiаweber'];
    expect(new Set(same.map(skeletonOf)).size).toBe(1);
    expect(skeletonOf('mia.weber')).not.toBe(skeletonOf('mia.webers'));
  });
});
