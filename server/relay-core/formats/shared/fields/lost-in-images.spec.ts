import { describe, expect, it } from '@jest/globals';
import type { ImageRequest } from '../../../model/image.js';
import { lostInImages } from './dropped-fields.js';

const ASKED: ImageRequest = {
  model: 'm',
  task: 'edit',
  prompt: 'p',
  images: [],
  count: 1,
  size: '1024x1024',
  quality: 'high',
  style: 'vivid',
  mask: { kind: 'url', url: 'https://files.example/mask.png' },
};

describe('settings of an image request that was fitted to a vendor', () => {
  it('warns of each that is gone', () => {
    const { size: _size, quality: _quality, style: _style, mask: _mask, ...fitted } = ASKED;
    expect(lostInImages(ASKED, fitted).map(({ setting }) => setting)).toEqual([
      'size',
      'quality',
      'style',
      'mask',
    ]);
  });

  it('warns of none that stays, under its name or the vendor\u2019s', () => {
    const { size: _size, ...fitted } = ASKED;
    const vendorOptions = { 'openai-images': { image_size: '1024x1024' } };
    expect(lostInImages(ASKED, { ...fitted, vendorOptions })).toEqual([]);
  });
});
